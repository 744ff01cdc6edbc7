import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelledFolder } from './labelled-folder.js';
import { readLabelledSet } from './labelled-set.js';

const INVENTED = join(__dirname, 'invented');

describe('readLabelledSet', () => {
  it('reads tools in the order of their names, and requests with canonical names', () => {
    const { name, tools, queries } = readLabelledSet(join(INVENTED, 'bakery.json'));
    expect(name).toBe('bakery');
    expect(tools.map((tool) => tool.name)).toEqual([
      'bakery.bake_loaves',
      'bakery.knead_dough',
      'bakery.sell_goods',
      'clean',
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({ properties: { count: { type: 'integer' } } });
    expect(tools[2]?.exampleQueries).toEqual(['a customer wants rolls']);
    expect(queries.map(({ relevant }) => [...relevant])).toEqual([
      ['bakery.bake_loaves'],
      ['bakery.knead_dough', 'bakery.bake_loaves'],
      ['clean'],
      [],
    ]);
  });

  it('refuses a request that names a tool which the set does not have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'labelled-'));
    const file = join(folder, 'set.json');
    writeFileSync(file, JSON.stringify({ name: 'set', tools: [], queries: [{ query: 'bake', relevant: ['bake'] }] }));
    expect(() => readLabelledSet(file)).toThrow(`${file}: a query names the tool "bake", which the set does not have`);
    rmSync(folder, { recursive: true });
  });
});

describe('labelledFolder', () => {
  it('lists the sets of a folder by name', () => {
    expect(labelledFolder(INVENTED)).toEqual(['bakery.json', 'garden.json'].map((file) => join(INVENTED, file)));
    expect(() => labelledFolder(__dirname)).toThrow('has no labelled sets');
  });
});
