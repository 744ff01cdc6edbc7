const NEST_11 = {
  '@nestjs/common': '^11.2.0',
  '@nestjs/core': '^11.2.0',
  '@nestjs/platform-express': '^11.2.0',
  '@nestjs/platform-fastify': '^11.2.0',
  '@nestjs/swagger': '^11.0.0',
};
const NEST_12 = {
  '@nestjs/common': '^12.5.1',
  '@nestjs/core': '^12.5.1',
  '@nestjs/platform-express': '^12.5.0',
  '@nestjs/platform-fastify': '^12.5.0',
  '@nestjs/swagger': '^12.0.0',
};
const TYPEORM_03 = { typeorm: '^0.3.31' };
const TYPEORM_1 = { typeorm: '^1.1.1', '@nestjs/typeorm': '^12.0.2' };
const NEWEST_PEERS = {
  'class-transformer': '^0.5.1',
  'class-validator': '^0.15.1',
  'class-validator-jsonschema': '^5.2.0',
  pg: '^8.23.0',
  'reflect-metadata': '^0.2.2',
  rxjs: '^7.8.2',
};

/** Dependencies of an application besides the packages, by combination. */
export const STACKS = {
  'nest11-typeorm0.3': { ...NEWEST_PEERS, ...NEST_11, ...TYPEORM_03, '@nestjs/typeorm': '^11.0.3' },
  'nest12-typeorm1': { ...NEWEST_PEERS, ...NEST_12, ...TYPEORM_1 },
  'nest11-typeorm1': { ...NEWEST_PEERS, ...NEST_11, ...TYPEORM_1 },
  'nest12-typeorm0.3': { ...NEWEST_PEERS, ...NEST_12, ...TYPEORM_03, '@nestjs/typeorm': '^12.0.2' },
};

const adapters = ['express', 'fastify'];
const modules = [
  { module: 'commonjs', runner: 'jest' },
  { module: 'esm', runner: 'vitest' },
];
const nodes = [20, 22, 24, 26];

/** Every supported combination; `lowest` has the lowest version of each peer range. */
export const CELLS = [
  ...nodes.flatMap((node) =>
    ['nest11-typeorm0.3', 'nest12-typeorm1'].flatMap((stack) =>
      modules.flatMap((module) => adapters.map((adapter) => ({ node, stack, adapter, ...module }))),
    ),
  ),
  { node: 22, stack: 'nest11-typeorm1', adapter: 'express', ...modules[0] },
  { node: 24, stack: 'nest12-typeorm0.3', adapter: 'fastify', ...modules[1] },
  { node: 20, stack: 'lowest', adapter: 'express', ...modules[0] },
].map((cell) => ({
  ...cell,
  name: `node${cell.node}-${cell.stack}-${cell.adapter}-${cell.module}`,
}));

/** The oldest and the newest combinations, for a fast check of every change. */
export const CUT = CELLS.filter(
  ({ node, stack, adapter, module }) =>
    (node === 20 && stack === 'nest11-typeorm0.3' && adapter === 'express' && module === 'commonjs') ||
    (node === 26 && stack === 'nest12-typeorm1' && adapter === 'fastify' && module === 'esm'),
);

// It takes one version of the AI SDK only, and its own part of the check installs that.
const APART = '@ai-sdk/code-mode';

/** The lowest version of every peer range in these manifests, for the stack `lowest`. */
export function lowestPeers(manifests) {
  const lowest = {};
  for (const { peerDependencies = {} } of manifests) {
    for (const [name, range] of Object.entries(peerDependencies)) {
      if (!name.startsWith('@tool-search/') && name !== APART)
        lowest[name] = range
          .split('||')[0]
          .trim()
          .replace(/^[\^~]/, '');
    }
  }
  // They are released together with core and have its version.
  for (const platform of ['express', 'fastify']) lowest[`@nestjs/platform-${platform}`] = lowest['@nestjs/core'];
  return lowest;
}
