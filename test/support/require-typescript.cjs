// Lets a plain node process run this workspace's TypeScript: `node -r ./require-typescript.cjs child.ts`.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir, userInfo } = require('node:os');
const nodePath = require('node:path');
const { transformSync, version } = require('@swc/core');

/** Compiled files by the hash of their text, next to those of Jest: a child loads hundreds. */
const CACHE = nodePath.join(tmpdir(), `tool-search-typescript-${userInfo().uid}`);
mkdirSync(CACHE, { recursive: true, mode: 0o700 });

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const hash = createHash('sha256').update(JSON.stringify([version, readFileSync(__filename, 'utf8'), source]));
  const path = nodePath.join(CACHE, `${hash.digest('hex')}.js`);
  module._compile(existsSync(path) ? readFileSync(path, 'utf8') : compiled(source, path), filename);
};

function compiled(source, path) {
  const { code } = transformSync(source, {
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  // Renamed when it is complete: another child may read it.
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
  return code;
}

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) =>
  entryOf(request) ?? sourceOf(request, parent) ?? resolveFilename(request, parent, ...rest);

function entryOf(request) {
  const [found, entry = 'index'] = /^@tool-search\/core(?:\/(.+))?$/.exec(request) ?? [];
  if (found === undefined) return undefined;
  const core = nodePath.resolve(__dirname, '../../libs/core/src');
  return [`${entry}.ts`, `${entry}/index.ts`].map((file) => nodePath.join(core, file)).find(existsSync);
}

function sourceOf(request, parent) {
  if (!request.startsWith('.') || !parent?.filename?.endsWith('.ts')) return undefined;
  const path = nodePath.resolve(nodePath.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
  return existsSync(path) ? path : undefined;
}
