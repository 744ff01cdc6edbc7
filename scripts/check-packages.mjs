// Packs every library, installs the tarballs into a fresh Nest application outside this workspace, compiles the README's
// first snippet there and runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = mkdtempSync(join(tmpdir(), 'tool-search-packages-'));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const version = (name) => manifest.dependencies[name] ?? manifest.devDependencies[name];

try {
  const tarballs = {};
  for (const folder of manifest.workspaces) {
    const lib = folder.replace('libs/', '');
    run(process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build', lib], root);
    const [{ name, filename, files }] = JSON.parse(
      run('npm', ['pack', '--json', '--pack-destination', app, join(root, folder)], root),
    );
    const stray = files.filter(({ path }) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(path));
    if (stray.length > 0) throw new Error(`${name} would publish ${stray.map(({ path }) => path).join(', ')}`);
    tarballs[name] = `file:./${filename}`;
  }

  const outside = [
    '@nestjs/common',
    '@nestjs/core',
    '@nestjs/platform-express',
    '@nestjs/typeorm',
    'better-sqlite3',
    'reflect-metadata',
    'rxjs',
    'typeorm',
    'zod',
    'ai',
    // The other adapters take nothing but types from their SDKs.
    '@langchain/core',
    '@nestjs/terminus',
    '@opentelemetry/api',
    '@nestjs/swagger',
    'class-transformer',
    'class-validator',
    'typescript',
    '@types/node',
    '@types/express',
  ];
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({
      name: 'an-application',
      private: true,
      dependencies: { ...tarballs, ...Object.fromEntries(outside.map((name) => [name, version(name)])) },
    }),
  );
  // The addon has just been compiled for the workspace; compiling it again would only cost time. What npm
  // has kept of the registry will do.
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], app);
  cpSync(join(root, 'node_modules/better-sqlite3/build'), join(app, 'node_modules/better-sqlite3/build'), {
    recursive: true,
  });

  mkdirSync(join(app, 'src'));
  cpSync(join(root, 'test/readme/quick-start.ts'), join(app, 'src/quick-start.ts'));
  cpSync(join(root, 'test/readme/run-quick-start.ts'), join(app, 'src/run-quick-start.ts'));
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'ES2023',
        strict: true,
        skipLibCheck: false,
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
        types: ['node'],
        outDir: 'dist',
        rootDir: 'src',
      },
    }),
  );
  run(process.execPath, [join(app, 'node_modules/typescript/bin/tsc')], app);
  const said = run(process.execPath, ['dist/run-quick-start.js'], app).trim();
  if (said !== 'acme gave back 5 euros of inv_1') throw new Error(`the first snippet said: ${said}`);
  for (const name of [
    '@tool-search/mcp',
    '@tool-search/openapi',
    '@tool-search/agents/ai-sdk',
    '@tool-search/agents/anthropic',
    '@tool-search/agents/langchain',
    '@tool-search/agents/openai',
    '@tool-search/agents/openai-responses',
    '@tool-search/agents/plain',
    '@tool-search/admin',
    '@tool-search/telemetry/opentelemetry',
    '@tool-search/telemetry/terminus',
    '@tool-search/core/egress',
    '@tool-search/core/testing',
  ]) {
    run(process.execPath, ['-e', `require('${name}')`], app);
  }
  console.log(`${Object.keys(tarballs).join(', ')}: packed, installed, compiled and run outside the workspace`);
} finally {
  for (const folder of manifest.workspaces) rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  rmSync(app, { recursive: true, force: true });
}
