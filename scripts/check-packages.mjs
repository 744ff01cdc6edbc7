// Packs every library and tests the packages as users install them: publint and attw, each package alone, and all
// packages in an application outside this workspace, under every module resolution, with the README's first snippet,
// the output of `nest add`, the gateway and the examples; and the command in an empty folder, with two clients.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { packLibraries, root, run, twoAtATime, versionOf } from './pack-libraries.mjs';
import { compile, entriesOf, install } from './packages/application.mjs';
import { checkBare, importing } from './packages/bare.mjs';
import { tryCommand } from './packages/command.mjs';
import { compileExamples, copyExamples, EXAMPLES, playExamples } from './packages/examples.mjs';
import { tryGateway } from './packages/gateway.mjs';
import { lint } from './packages/lint.mjs';
import { checkResolutions } from './packages/resolutions.mjs';
import { tryStarter } from './packages/starter.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tool-search-packages-'));
const app = join(folder, 'application');
const OUTSIDE = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/typeorm',
  'reflect-metadata',
  'rxjs',
  'typeorm',
  'zod',
  'ai',
  // The other adapters import only types from their SDKs.
  '@anthropic-ai/sdk',
  '@langchain/core',
  'langchain',
  'openai',
  '@nestjs/terminus',
  '@opentelemetry/api',
  '@nestjs/swagger',
  'class-transformer',
  'class-validator',
  '@types/express',
];

/** Runs the checks that need all packages at once. */
async function tryTogether(packages) {
  copyExamples(app);
  await install(app, packages, Object.fromEntries(OUTSIDE.map((name) => [name, versionOf(name)])));
  const entries = Object.keys(packages).flatMap((name) => entriesOf(app, name));
  return [
    quickStart,
    () => tryStarter(app, 'ts'),
    () => tryStarter(app, 'ts-esm'),
    () => tryGateway(app),
    tryExamples,
    () => checkResolutions(app, [importing(app, entries)]),
  ];
}

/** The one that needs PostgreSQL. */
const ON_POSTGRES = 'several-instances';

async function tryExamples() {
  await compileExamples(app);
  await playExamples(
    app,
    EXAMPLES.filter((name) => name !== ON_POSTGRES),
  );
  const server = process.env.TOOL_SEARCH_TEST_POSTGRES_URL;
  if (!server) return console.warn(`skipped examples/${ON_POSTGRES}: set TOOL_SEARCH_TEST_POSTGRES_URL`);
  return inDatabase(server, (DATABASE_URL) => playExamples(app, [ON_POSTGRES], { DATABASE_URL }));
}

async function quickStart() {
  mkdirSync(join(app, 'src'));
  const files = ['app.module.ts', 'run-quick-start.ts'];
  for (const file of files) cpSync(join(root, 'test/readme', file), join(app, 'src', file));
  const sources = files.map((file) => `src/${file}`);
  await compile(app, sources, 'nodenext', { outDir: 'dist', rootDir: 'src' });
  const said = run(process.execPath, ['dist/run-quick-start.js'], app).trim();
  if (said !== 'acme gave back 5 euros of inv_1') throw new Error(`the first snippet said: ${said}`);
}

/** Runs work with the address of a temporary database. */
async function inDatabase(server, work) {
  const database = `tool_search_example_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${database}`);
    return await work(Object.assign(new URL(server), { pathname: `/${database}` }).href);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await client.end();
  }
}

try {
  const packages = await packLibraries(folder);
  const libraries = Object.values(packages);
  const bare = libraries.filter(({ name }) => name !== '@tool-search/sqlite-node20');
  const [together] = await twoAtATime(
    [
      () => tryTogether(packages),
      () => tryCommand(join(folder, 'command'), packages),
      ...bare.map((library) => () => checkBare(join(folder, 'bare', library.name), library, packages)),
    ],
    (check) => check(),
  );
  await twoAtATime([...together, ...libraries.map((library) => () => lint(library))], (check) => check());
  console.log(`${Object.keys(packages).join(', ')}: packed, installed, compiled and run outside the workspace`);
} finally {
  // After a failure, the other check may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
