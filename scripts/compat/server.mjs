import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import ts from 'typescript';
import { root, writeJson } from '../pack-libraries.mjs';
import { pathWith } from './installation.mjs';

/** Timeout for starting and for stopping. */
const PATIENCE_MS = 60_000;
const SOURCES = ['application', 'server'];
const COMPILER_OPTIONS = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
};

/** Adds the application to an installation, compiled to JavaScript so that it can run in its own process. */
export function addServer(installation) {
  const home = join(installation, 'server');
  mkdirSync(home, { recursive: true });
  writeJson(join(home, 'package.json'), { type: 'commonjs' });
  for (const source of SOURCES) {
    const text = readFileSync(join(root, 'test/compat', `${source}.ts`), 'utf8');
    const { outputText } = ts.transpileModule(text, { compilerOptions: COMPILER_OPTIONS });
    writeFileSync(join(home, `${source}.js`), outputText);
  }
}

/** Runs work with the application in its own process, on one Node.js and one database. Returns the work's result. */
export async function withServer({ installation, node, failure }, { database = '', url = '' }, work) {
  if (failure) throw failure;
  const main = join(installation, 'server/server.js');
  const child = spawn(node, [main, database, url], { env: pathWith(node), stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  try {
    const address = await addressOf(child);
    const result = await work((...request) => send(address, ...request));
    const [code, signal] = await end(child, ended);
    if (code !== 0 && signal !== 'SIGTERM') throw new Error(`the application ended with ${code ?? signal}`);
    return result;
  } catch (error) {
    await end(child, ended);
    throw new Error(`${error.message}\n${errors}`, { cause: error });
  }
}

/** Reads the address from the output; warnings may come before it. */
async function addressOf(child) {
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('http://')) return line;
  } finally {
    clearTimeout(timer);
  }
  throw new Error('the application did not start');
}

async function end(child, ended) {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return ended.finally(() => clearTimeout(timer));
}

/** Sends one request as a tenant's user, or as an operator to an operator route. */
async function send(address, path, body) {
  const response = await fetch(`${address}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-tenant': 'acme',
      'x-session': 's1',
      'x-run': 'r1',
      ...(path.startsWith('admin') && { 'x-operator': 'olga' }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
