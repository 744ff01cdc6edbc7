import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
// The type is unknown: scripts are plain JavaScript.
const script: string = '../../scripts/published-files.mjs';
const { missingAddresses, publishedManifest, publishedReadme } = require(script);
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const root = read('package.json');
const folders = [...root.workspaces, 'libs/sqlite-node20'] as string[];
const KNOWN = {
  author: 'Ada',
  bugs: { url: 'https://example.com/tools/issues' },
  homepage: 'https://example.com/tools',
  repository: { type: 'git', url: 'git+https://example.com/tools.git' },
};

describe('what a published package repeats of the root', () => {
  it('is missed field by field', () => {
    expect(missingAddresses({})).toEqual(['author', 'bugs', 'homepage', 'repository']);
    expect(missingAddresses({ ...KNOWN, author: '', repository: {} })).toEqual(['author', 'repository']);
    expect(missingAddresses(KNOWN)).toEqual([]);
  });

  it('is written into the manifest, with the folder', () => {
    expect(publishedManifest({ name: 'x', license: 'MIT' }, KNOWN, 'libs/x')).toEqual({
      ...KNOWN,
      name: 'x',
      license: 'MIT',
      repository: { type: 'git', url: 'git+https://example.com/tools.git', directory: 'libs/x' },
    });
    expect(publishedManifest({ name: 'x' }, {}, 'libs/x')).toEqual({ name: 'x' });
  });
});

describe('a published README', () => {
  const links = 'See [options](../../docs/options.md#search), [MIT](LICENSE), [npm](https://npm.im) or `[a](../b)`.';

  it('links to the repository where its address is known, else keeps the words alone', () => {
    expect(publishedReadme(links, KNOWN, 'libs/core', ROOT)).toBe(
      'See [options](https://example.com/tools/blob/HEAD/docs/options.md#search), [MIT](LICENSE), [npm](https://npm.im) or `[a](../b)`.',
    );
    expect(publishedReadme(links, {}, 'libs/core', ROOT)).toBe(
      'See options, [MIT](LICENSE), [npm](https://npm.im) or `[a](../b)`.',
    );
  });

  it('may not link to what does not exist', () => {
    expect(() => publishedReadme('[x](../../docs/nothing.md)', KNOWN, 'libs/core', ROOT)).toThrow(/nothing\.md/);
  });

  it.each(folders)('of %s has no relative link but its licence', (folder) => {
    const text = publishedReadme(readFileSync(join(ROOT, folder, 'README.md'), 'utf8'), KNOWN, folder, ROOT) as string;
    const prose = text.replace(/```[\s\S]*?```/g, '');
    const targets = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !/^(https?:|#|LICENSE$)/.test(target))).toEqual([]);
  });
});

describe.each(folders)('the manifest of %s', (folder) => {
  const manifest = read(`${folder}/package.json`);

  it('says what a registry and a bundler ask for', () => {
    expect(manifest.keywords.length).toBeGreaterThan(1);
    expect(manifest).toMatchObject({
      license: 'MIT',
      sideEffects: false,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    // Addresses are only in the root manifest.
    expect(Object.keys(manifest).filter((field) => field in KNOWN)).toEqual([]);
  });

  it('names the types of every entry for resolvers that do not know exports', () => {
    const entries = Object.entries((manifest.exports ?? {}) as Record<string, { types?: string }>)
      .filter(([entry, { types }]) => types && entry !== '.')
      .map(([entry, { types }]) => [entry.slice(2), [types]]);
    expect(manifest.typesVersions?.['*'] ?? {}).toEqual(Object.fromEntries(entries));
  });
});

describe.each(root.workspaces as string[])('%s', (folder) => {
  it('has no side effects when it is imported, as its `sideEffects` declares', () => {
    const files = readdirSync(join(ROOT, folder, 'src'), { recursive: true }) as string[];
    const effects = files
      .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !HARMLESS.has(file))
      .flatMap((file) => {
        const source = ts.createSourceFile(
          file,
          readFileSync(join(ROOT, folder, 'src', file), 'utf8'),
          ts.ScriptTarget.Latest,
        );
        return source.statements.filter(actsOnImport).map(({ kind }) => `${file}: ${ts.SyntaxKind[kind]}`);
      });
    expect(effects).toEqual([]);
  });
});

// Their internals are used, so a new minor version waits until these specs have passed with it.
const USED_INTERNALS: Readonly<Record<string, string>> = {
  ajv: 'libs/core/src/tool/schema/ajv-internals.spec.ts',
  '@modelcontextprotocol/client': 'libs/mcp/src/mcp-client-internals.spec.ts',
};

it('lets every fix of a library reach users: runtime dependencies are caret ranges, `~` where internals are used', () => {
  const ranges = folders.flatMap((folder) => {
    const { dependencies = {}, optionalDependencies = {} } = read(`${folder}/package.json`);
    return Object.entries({ ...dependencies, ...optionalDependencies } as Record<string, string>)
      .filter(([name]) => !name.startsWith('@tool-search/'))
      .map(([name, range]) => [name, range.replace(/^npm:.+@(?=[^@]+$)/, '')] as const);
  });
  expect(ranges.length).toBeGreaterThan(10);
  for (const [name, range] of ranges) expect([name, range[0]]).toEqual([name, name in USED_INTERNALS ? '~' : '^']);
  for (const [name, spec] of Object.entries(USED_INTERNALS)) {
    expect(ranges.map(([used]) => used)).toContain(name);
    expect(readFileSync(join(ROOT, spec), 'utf8')).toContain(name);
  }
});

// Allowed side effects: the decorator loads the metadata API, which it needs; the synonyms fill their own map.
const HARMLESS = new Set(['nest/decorators/tool.decorator.ts', 'search/text/synonyms/synonyms.ts']);

function actsOnImport(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement)) return statement.importClause === undefined;
  return !(
    ts.isVariableStatement(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isExportDeclaration(statement)
  );
}
