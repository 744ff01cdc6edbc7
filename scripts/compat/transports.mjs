import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, versionOf } from '../pack-libraries.mjs';
import { bin, install, pathWith } from './installation.mjs';

const SPECS = join(root, 'test/transports');

/** Dependencies of the transports besides a stack. */
const PEERS = [
  '@nestjs/bullmq',
  '@nestjs/graphql',
  '@nestjs/mercurius',
  '@nestjs/microservices',
  '@nestjs/platform-ws',
  '@nestjs/testing',
  '@nestjs/websockets',
  'bullmq',
  'fastify',
  'graphql',
  'ioredis',
  'mercurius',
  'supertest',
  'ws',
];

/** The transports with a suite: `bullmq`, `graphql`, `http`, `tcp`, `websockets`. */
export const TRANSPORTS = readdirSync(SPECS)
  .filter((file) => file.endsWith('.e2e-spec.ts'))
  .map((file) => file.replace('.e2e-spec.ts', ''));

/** Installs an application outside the workspace with everything that the transports' suites import. */
export function installTransports(folder, node, tarballs, stack) {
  install(folder, node, tarballs, { ...stack, ...Object.fromEntries(PEERS.map((name) => [name, versionOf(name)])) });
  cpSync(SPECS, join(folder, 'transports'), { recursive: true });
  cpSync(join(root, 'scripts/compat/jest.config.mjs'), join(folder, 'jest.config.mjs'));
}

/** Runs the suite of one transport. Returns the reason if it was skipped; throws if it fails. */
export function runTransport(folder, node, name) {
  const report = join(folder, `${name}.json`);
  const args = ['--ci', '--testMatch', `**/transports/${name}.e2e-spec.ts`, '--json', '--outputFile', report];
  run(node, [bin(folder, 'jest', 'jest'), ...args], folder, pathWith(node));
  const { numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return numPassedTests > 0 ? undefined : 'skipped: the server that it needs does not answer';
}
