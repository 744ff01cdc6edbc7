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
Module._resolveFilename = (request, parent, ...rest) => {
  const path =
    request === '@tool-search/core'
      ? nodePath.resolve(__dirname, '../../core/src/index.ts')
      : sourceOf(request, parent);
  return path ?? resolveFilename(request, parent, ...rest);
};

function sourceOf(request, parent) {
  if (!request.startsWith('.') || !parent?.filename?.endsWith('.ts')) return undefined;
  const path = nodePath.resolve(nodePath.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
  return existsSync(path) ? path : undefined;
}
