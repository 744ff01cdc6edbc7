import { fakeTool, fakeTools } from '../../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { LearnedOverlay } from '../../learned/learned-overlay.js';
import type { ToolQuery } from '../../tool-index.js';
import { MemoryToolIndex } from '../memory-tool-index.js';

const tools = [
  fakeTool({ name: 'billing.refund', description: 'Give an invoice back, fully or in part.' }),
  fakeTool({ name: 'files.delete', description: 'Take a file away for good.' }),
  ...fakeTools(200),
].sort((a, b) => (a.name < b.name ? -1 : 1));
const snapshot = new CatalogSnapshot(1, tools);
const idOf = (name: string): number => snapshot.idOf(name, 'anybody') ?? -1;
const index = new MemoryToolIndex();
beforeAll(() => index.apply({ next: snapshot }));

const ask = (query: Partial<ToolQuery> & { readonly text: string }, isVisible: (id: number) => boolean = () => true) =>
  index.search({ type: 'bm25', limit: 5, ...query }, snapshot, ToolSet.of(tools.length, isVisible));

describe('what a hit says of itself', () => {
  it('names the words that the tool has, also by another word', async () => {
    const { hits } = await ask({ text: 'erase an unicorn file' });
    expect(hits[0]).toMatchObject({ id: idOf('files.delete'), matched: ['erase', 'file'] });
  });

  it('is explained by parts that add up to the score', async () => {
    const { hits } = await ask({ text: 'refund the invoice of a customer in full', explain: true, limit: 20 });
    expect(hits.length).toBeGreaterThan(5);
    for (const { score, parts = [] } of hits) {
      expect(parts.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 4);
    }
    expect(hits[0]?.parts).toContainEqual({ field: 'name', word: 'refund', score: expect.any(Number) });
  });

  it('reports in its parts which synonym matched for a word of the query', async () => {
    const { hits } = await ask({ text: 'erase a file', explain: true });
    expect(hits[0]?.parts).toContainEqual({ field: 'name', word: 'erase', as: 'delet', score: expect.any(Number) });
  });
});

describe('the verdict', () => {
  it('is the same however many hits are wanted', async () => {
    const words = ['violin', 'wombat', 'plain', 'zebra', 'quartz'];
    // Short texts with one of the words each score best; the tool that has several comes after them.
    const crowd = [
      ...words.map((word) => fakeTool({ name: `aa.${word}_thing`, description: `A ${word}.` })),
      fakeTool({
        name: 'zz.several',
        description: `${'Long talk about this and that thing. '.repeat(9)}${words.join(' ')}`,
      }),
      ...fakeTools(3_000),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
    const large = new CatalogSnapshot(1, crowd);
    const largeIndex = new MemoryToolIndex();
    await largeIndex.apply({ next: large });
    const all = ToolSet.of(crowd.length, () => true);
    const verdict = async (text: string, limit: number) =>
      (await largeIndex.search({ text, type: 'bm25', limit }, large, all)).verdict;
    const unknown = ['abcde', 'fghij', 'klmno', 'pqrst', 'uvwxy', 'bcdfg', 'hjklm', 'npqrs'];
    const verdicts = new Set<string>();
    for (let known = 2; known <= words.length; known++) {
      for (let strange = 0; strange <= unknown.length; strange++) {
        const text = [...words.slice(0, known), ...unknown.slice(0, strange)].join(' ');
        const wide = await verdict(text, 5);
        verdicts.add(wide);
        expect([text, await verdict(text, 1), await verdict(text, 2)]).toEqual([text, wide, wide]);
      }
    }
    expect(verdicts.size).toBe(2);
  });
});

describe('what other tenants taught', () => {
  it('helps, and no answer says which words it was', async () => {
    const queries = [{ tool: idOf('billing.refund'), query: 'customer wants his whatsit' }];
    const learned = new LearnedOverlay(queries, false);
    const text = 'refund whatsit';
    const { hits, unmatched } = await ask({ text, learned, explain: true });
    const [shown] = (await ask({ text, learned: new LearnedOverlay(queries), explain: true })).hits;
    const [unlearned] = (await ask({ text, explain: true })).hits;
    expect(hits[0]?.score).toBe(shown?.score);
    expect(hits[0]?.score).toBeGreaterThan(unlearned?.score ?? 1);
    expect([unmatched, hits[0]?.matched]).toEqual([['whatsit'], ['refund']]);
    expect(hits[0]?.parts?.filter(({ field }) => field === 'learned')).toEqual([
      { field: 'learned', score: expect.any(Number) },
    ]);
    expect(JSON.stringify(hits)).not.toContain('whatsit');
  });
});

describe('what was learned from use', () => {
  const learned = new LearnedOverlay([{ tool: idOf('billing.refund'), query: 'customer wants his whatsit' }]);

  it('finds a tool by words that it does not have', async () => {
    expect((await ask({ text: 'whatsit' })).hits).toEqual([]);
    const { hits, unmatched } = await ask({ text: 'whatsit', learned, explain: true });
    expect(hits[0]).toMatchObject({ id: idOf('billing.refund'), matched: ['whatsit'] });
    expect(hits[0]?.parts?.[0]).toMatchObject({ field: 'learned', word: 'whatsit' });
    expect(unmatched).toEqual([]);
  });

  it('finds no tool that is hidden or not asked for', async () => {
    const others = (id: number): boolean => id !== idOf('billing.refund');
    expect((await ask({ text: 'whatsit', learned }, others)).hits).toEqual([]);
    expect((await ask({ text: 'whatsit', learned, among: ToolSet.of(tools.length, others) })).hits).toEqual([]);
    // A learned query for a hidden tool has no other effect either.
    const text = 'send a whatsit to somebody';
    expect(await ask({ text, learned }, others)).toEqual(await ask({ text }, others));
  });
});
