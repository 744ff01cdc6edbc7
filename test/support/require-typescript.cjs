// Lets a plain node process run this workspace's TypeScript: `node -r ./require-typescript.cjs child.ts`.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const nodePath = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  module._compile(code, filename);
};

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
