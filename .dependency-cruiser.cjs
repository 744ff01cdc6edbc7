// The floors of ARCHITECTURE.md as rules. An arrow down is the only arrow.
const core = '^libs/core/src';
// Knows nothing of tools; every floor may use it.
const FOUNDATION = ['async', 'collections', 'files', 'json', 'options'];
const below = (folder, allowed) => ({
  from: { path: `${core}/${folder}/`, pathNot: '\\.spec\\.ts$' },
  to: {
    path: '^(libs|src|test|bench)/',
    pathNot: `${core}/(${[folder, ...FOUNDATION, ...allowed].join('|')})/|/node_modules/`,
  },
});
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...['async', 'collections', 'files', 'json'].map((folder) => ({
      name: `${folder}-knows-no-tools`,
      severity: 'error',
      ...below(folder, []),
    })),
    {
      name: 'options-know-only-the-error',
      severity: 'error',
      from: { path: `${core}/options/`, pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/', pathNot: `${core}/(options|json)/|${core}/tool/tool-search\\.error\\.ts$` },
    },
    { name: 'tool-is-the-ground-floor', severity: 'error', ...below('tool', []) },
    { name: 'catalog-knows-only-tool', severity: 'error', ...below('catalog', ['tool']) },
    { name: 'search-knows-only-tool', severity: 'error', ...below('search', ['tool']) },
    {
      name: 'the-control-plane-knows-no-feature',
      severity: 'error',
      from: { path: `${core}/access/control/`, pathNot: '\\.spec\\.ts$' },
      to: { path: `${core}/access/(?!control/)` },
    },
    { name: 'access-knows-only-tool', severity: 'error', ...below('access', ['tool']) },
    { name: 'activation-knows-only-tool', severity: 'error', ...below('activation', ['tool']) },
    { name: 'egress-knows-only-tool', severity: 'error', ...below('egress', ['tool']) },
    { name: 'schematics-know-nothing-of-ours', severity: 'error', ...below('schematics', []) },
    {
      name: 'toolbox-stays-below-exposure',
      severity: 'error',
      ...below('toolbox', ['tool', 'catalog', 'search', 'access', 'activation']),
    },
    {
      name: 'exposure-stays-below-runtime',
      severity: 'error',
      ...below('exposure', ['tool', 'catalog', 'search', 'access', 'activation', 'toolbox']),
    },
    {
      name: 'runtime-stays-below-nest',
      severity: 'error',
      ...below('runtime', ['tool', 'catalog', 'search', 'access', 'activation', 'toolbox', 'exposure']),
    },
    {
      name: 'nobody-imports-the-command',
      severity: 'error',
      from: { path: '^(libs|src|test|bench)/', pathNot: '^(libs/cli|test/(cli|options))/' },
      to: { path: '^libs/cli/' },
    },
    {
      name: 'only-nest-knows-nest',
      severity: 'error',
      from: { path: core, pathNot: `${core}/(nest|testing)/|^${core}/index\\.ts$` },
      to: { path: '(^|/)node_modules/@nestjs/' },
    },
    {
      name: 'nobody-imports-the-testing-kit',
      severity: 'error',
      from: { path: '^(libs/[^/]+/src|src)/', pathNot: `(\\.spec\\.ts$|${core}/testing/)` },
      to: { path: `${core}/testing/` },
    },
    {
      name: 'nobody-imports-their-own-front-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/$1/src/index\\.ts$' },
    },
    {
      name: 'only-the-front-door',
      severity: 'error',
      // The tests of options walk through the schemas, which are not public.
      from: { path: '^(libs/([^/]+)/src|src|test|bench)/', pathNot: '^test/options/' },
      to: {
        path: '^libs/[^/]+/src/',
        pathNot:
          '^libs/($2/src/|[^/]+/src/index\\.ts$|core/src/(testing/index|[^/]+)\\.ts$|(agents|telemetry)/src/[^/]+\\.ts$)',
      },
    },
    {
      name: 'siblings-only-know-core',
      severity: 'error',
      from: { path: '^libs/(typeorm|fts5|mcp|openapi|agents|admin|telemetry|gateway|phrases|redaction|console)/src/' },
      to: { path: '^libs/', pathNot: '^libs/($1/|core/src/)' },
    },
    {
      name: 'libs-do-not-know-the-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(src|test|bench)/' },
    },
    {
      name: 'no-orphan-modules',
      severity: 'error',
      from: { path: '^libs/', orphan: true, pathNot: '\\.d\\.ts$|/bin/' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
