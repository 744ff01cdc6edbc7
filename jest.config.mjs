import { availableParallelism } from 'node:os';

// Everything, our TypeScript and the ESM-only packages alike, is compiled to CommonJS by swc:
// no --experimental-vm-modules, works on Node 20 to 26.
const swc = (syntax) => [
  '@swc/jest',
  {
    swcrc: false,
    configFile: false,
    // Jest keeps and parses the text of every compiled file in every suite: source maps are files of their own, read
    // only for a stack trace. Without this option, @swc/jest writes them into the text.
    sourceMaps: true,
    module: { type: 'commonjs', ignoreDynamic: false },
    jsc: {
      target: 'es2022',
      parser: syntax === 'ts' ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' },
      transform:
        syntax === 'ts'
          ? { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false }
          : undefined,
      keepClassNames: true,
    },
  },
];

// Packages without a "require" export.
const ESM_ONLY = [
  '@nestjs/.*',
  '@borewit/text-codec',
  '@tokenizer/.*',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  'jose',
  'cookie',
  'content-disposition',
  'json-schema-typed',
  '@modelcontextprotocol/ext-apps',
  'ai',
  '@ai-sdk/.*',
  '@vercel/.*',
  '@workflow/.*',
  'eventsource-parser',
  '@standard-schema/spec',
  // where @ai-sdk/code-mode is installed
  'run',
  // imports the next one while it runs, which Jest cannot do for CommonJS
  'mercurius',
  'quick-lru',
  // likewise
  '@mastra/core',
  'p-map',
  'p-retry',
  'is-network-error',
  // its locales have no CommonJS form
  'zod',
];

const base = {
  runtime: '<rootDir>/test/support/kept-scripts-runtime.cjs',
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  transform: { '^.+\\.ts$': swc('ts'), '^.+\\.[cm]?js$': swc('js') },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: {
    // Every property has the runs and the seed of the tier.
    '^fast-check$': '<rootDir>/test/support/fast-check.cjs',
    '^@tool-search/core/testing$': '<rootDir>/libs/core/src/testing/index.ts',
    '^@tool-search/core/(stores|engine|adapter|source|operators|internal)$': '<rootDir>/libs/core/src/$1.ts',
    '^@tool-search/(agents|telemetry)/(.*)$': '<rootDir>/libs/$1/src/$2.ts',
    '^@tool-search/((?!sqlite-)[^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^tool-search$': '<rootDir>/libs/cli/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/keep-connections-open.ts'],
};

/** Tests that start, kill or restart processes: `npm run test:processes`. */
const PROCESSES = '\\.processes\\.spec\\.ts$';

export default {
  // A busy machine is no fault: no test says by its time what is right, nor how long it may take. One that hangs still ends.
  testTimeout: 900_000,
  // One more than cores, because suites wait for processes that they start. Jest's default leaves one core to itself.
  maxWorkers: availableParallelism() + 1,
  // V8 collects a worker's discarded modules only near its limit of 4 GB; a new worker starts with none.
  workerIdleMemoryLimit: '1GB',
  // Where CI promises every service, a skipped suite is a failure.
  reporters: ['default', ...(process.env.TOOL_SEARCH_TEST_NO_SKIPS ? ['<rootDir>/scripts/no-skips.reporter.mjs'] : [])],
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,libs,bench}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', PROCESSES],
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/{test,examples}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', PROCESSES],
    },
    { ...base, displayName: 'processes', testMatch: ['<rootDir>/{src,libs,bench,test}/**/*.processes.spec.ts'] },
  ],
};
