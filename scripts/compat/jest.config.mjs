// #region jest
// NestJS 12 has no CommonJS form and Jest cannot require ES modules, so swc compiles it and what it imports.
const ESM_ONLY = [
  '@nestjs/.*',
  '@borewit/text-codec',
  '@tokenizer/.*',
  'content-disposition',
  'cookie',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  // where GraphQL runs on mercurius, which imports the second while it runs
  'mercurius',
  'quick-lru',
];
const swc = (parser) => [
  '@swc/jest',
  {
    swcrc: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser, transform: { legacyDecorator: true, decoratorMetadata: true } },
  },
];

export default {
  testTimeout: 60_000,
  transform: {
    '\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '\\.js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
// #endregion jest
