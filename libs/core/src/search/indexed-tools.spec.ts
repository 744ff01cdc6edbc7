import { fakeTool, fakeTools } from '../testing/fake-tools.js';
import { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import { type IndexedTools, indexTools } from './indexed-tools.js';
import { Slices } from './slices.js';

const index = (tools: CatalogSnapshot['tools'], previous?: IndexedTools, slices = new Slices(8)) =>
  indexTools(new CatalogSnapshot(1, tools), previous, slices);

const postingsOf = ({ lexicon, starts, tools, impacts }: IndexedTools, term: string) => {
  const id = lexicon.find(term) ?? 0;
  const positions = Array.from({ length: starts[id + 1]! - starts[id]! }, (_, offset) => starts[id]! + offset);
  return positions.map((position) => [tools[position]!, impacts[position]!] as const).sort(([a], [b]) => a - b);
};

describe('indexTools', () => {
  const tools = fakeTools(200);

  it('takes over tools that have not changed without looking at them again', async () => {
    const before = await index(tools);
    const untouchable = tools.map((tool) =>
      Object.defineProperty({ ...tool }, 'description', {
        get: () => {
          throw new Error('analyzed again');
        },
      }),
    );
    const added = fakeTool({ name: 'zoo.feed', description: 'Feed a penguin.' });
    const after = await index([...untouchable.slice(50), added], before);
    expect(postingsOf(after, 'penguin')).toEqual([[150, expect.any(Number)]]);
    const rebuilt = await index([...tools.slice(50), added]);
    for (const term of ['list', 'invoic', 'delet', 'account']) {
      expect(postingsOf(after, term)).toEqual(postingsOf(rebuilt, term));
    }
  });

  it('tells tools apart that several tenants brought in equal form', async () => {
    const twin = fakeTool({ name: 'crm.find', description: 'Find a penguin.' });
    const one = await index([twin]);
    const three = await index([twin, { ...twin, owner: 'a' }, { ...twin, owner: 'b' }], one);
    expect(postingsOf(three, 'penguin').map(([id]) => id)).toEqual([0, 1, 2]);
  });

  it('lets other work run while it builds', async () => {
    let turns = 0;
    let isBuilding = true;
    const count = () => {
      turns += 1;
      if (isBuilding) setImmediate(count);
    };
    setImmediate(count);
    let now = 0;
    await index(tools, undefined, new Slices(8, undefined, () => (now += 1)));
    isBuilding = false;
    expect(turns).toBeGreaterThan(10);
  });

  it('forgets the words of tools that left once they are the larger part', async () => {
    const wordsOf = (tool: number) => Array.from({ length: 600 }, (_, word) => `w${tool}x${word}`).join(' ');
    const wordy = Array.from({ length: 100 }, (_, i) => fakeTool({ name: `wordy.t${i}`, description: wordsOf(i) }));
    const large = await index([...wordy, ...tools]);
    const small = await index(tools, large);
    const next = await index(tools, small);
    expect(large.lexicon.size).toBeGreaterThan(50_000);
    expect(next.lexicon.size).toBeLessThan(1_000);
    expect(postingsOf(next, 'invoic')).toEqual(postingsOf(small, 'invoic'));
  });
});
