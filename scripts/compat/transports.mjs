import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, versionOf } from '../pack-libraries.mjs';
import { bin, install, pathWith } from './installation.mjs';

const SPECS = join(root, 'test/transports');

/** What the transports need beside a stack. */
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

/** The ways in that have a suite: `bullmq`, `graphql`, `http`, `tcp`, `websockets`. */
export const TRANSPORTS = readdirSync(SPECS)
  .filter((file) => file.endsWith('.e2e-spec.ts'))
  .map((file) => file.replace('.e2e-spec.ts', ''));

/** Makes an application outside the workspace that has everything the suites of the transports import. */
export function installTransports(folder, node, tarballs, stack) {
  install(folder, node, tarballs, { ...stack, ...Object.fromEntries(PEERS.map((name) => [name, versionOf(name)])) });
  cpSync(SPECS, join(folder, 'transports'), { recursive: true });
  cpSync(join(root, 'scripts/compat/jest.config.mjs'), join(folder, 'jest.config.mjs'));
}

/** Runs the suite of one transport. Returns why it did not run, if so; throws where it fails. */
export function runTransport(folder, node, name) {
  const report = join(folder, `${name}.json`);
  const args = ['--ci', '--testMatch', `**/transports/${name}.e2e-spec.ts`, '--json', '--outputFile', report];
  run(node, [bin(folder, 'jest', 'jest'), ...args], folder, pathWith(node));
  const { numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return numPassedTests > 0 ? undefined : 'skipped: the server that it needs does not answer';
}
