import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FakeSource } from '@tool-search/core/testing';
import type { QueryCatalog } from '@tool-search/core/internal';
import { phraseCatalogs, readPhrases, withPhrases } from './with-phrases.js';

const DATA = join(__dirname, '../data');
const catalogs = readdirSync(DATA).map((file) => JSON.parse(readFileSync(join(DATA, file), 'utf8')) as QueryCatalog);
const [tavily] = catalogs.filter((catalog) => catalog.package === 'tavily-mcp') as [QueryCatalog];
const signal = new AbortController().signal;

describe('the data', () => {
  it('has three different requests of 2 to 20 words for each tool, in less than a megabyte', () => {
    const tools = catalogs.flatMap((catalog) => Object.values(catalog.tools));
    const queries = tools.flatMap((tool) => tool.queries.map((query) => query.toLowerCase()));
    expect(catalogs.length).toBeGreaterThan(25);
    expect(tools.length).toBeGreaterThan(2400);
    expect(new Set(queries).size).toBe(queries.length);
    for (const { hash, queries: three } of tools) {
      expect(hash).toMatch(/^[0-9a-f]{12}$/);
      expect(three).toHaveLength(3);
    }
    expect(queries.filter((query) => !/^\S+(?: \S+){1,19}$/.test(query))).toEqual([]);
    expect(readdirSync(DATA).reduce((bytes, file) => bytes + statSync(join(DATA, file)).size, 0)).toBeLessThan(1e6);
  });
});

describe('withPhrases()', () => {
  it('refuses a catalog that does not exist', () => {
    expect(() => withPhrases(new FakeSource('a', []), '../package')).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', hint: expect.stringContaining('phraseCatalogs()') }),
    );
    expect(phraseCatalogs()).toContain('tavily-mcp');
  });

  it('leaves tools alone that are unknown, changed, or have example queries of their own', async () => {
    const [name = ''] = Object.keys(tavily.tools);
    const known = { name, description: 'Another description.' };
    const source = withPhrases(
      new FakeSource('tavily', [known, { name: 'other', description: '' }, 'toString']),
      'tavily-mcp',
    );
    const tools = await source.load(signal);
    expect(tools.map(({ exampleQueries }) => exampleQueries)).toEqual([undefined, undefined, undefined]);
  });

  it('passes on what is no tool, so that the catalog reports it', async () => {
    const [name = ''] = Object.keys(tavily.tools);
    const wrong = [null, 'tool', {}, { name }, { name, description: 5 }, { name: 7, description: '' }];
    const source = new FakeSource('tavily', []);
    source.load = async () => wrong as never;
    expect(await withPhrases(source, 'tavily-mcp').load(signal)).toEqual(wrong);
    source.load = async () => 'no list' as never;
    expect(await withPhrases(source, 'tavily-mcp').load(signal)).toBe('no list');
  });

  it('reads a catalog as it is', () => {
    expect(readPhrases('tavily-mcp')).toEqual(tavily);
  });
});
