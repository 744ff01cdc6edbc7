import { describeToolIndex } from '../../testing/contracts/tool-index.contract.js';
import { fakeTool, fakeTools } from '../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../../tool/snapshot/tool-set.js';
import { ToolAnalyzer } from './index/analyze-tool.js';
import { Lexicon } from './index/lexicon.js';
import { MemoryToolIndex } from './memory-tool-index.js';

describeToolIndex('MemoryToolIndex', () => new MemoryToolIndex(), { statistics: 'visible' });

// Thresholds at which a few tools are enough to trigger a merge, or never trigger one.
const often = { minDelta: 2, deltaShare: 0.2, deadShare: 0.2 };
const never = { minDelta: Infinity, deltaShare: 1, deadShare: 1 };
describeToolIndex('MemoryToolIndex that merges often', () => new MemoryToolIndex({ thresholds: often }), {
  statistics: 'visible',
});
describeToolIndex('MemoryToolIndex that never merges', () => new MemoryToolIndex({ thresholds: never }), {
  statistics: 'visible',
});

describe('tools of one tenant or request', () => {
  it('are analyzed alone, and leave no words behind in a catalog that never changes', async () => {
    const analyzed = jest.spyOn(ToolAnalyzer.prototype, 'analyze');
    const add = jest.spyOn(Lexicon.prototype, 'add');
    const index = new MemoryToolIndex();
    const shared = fakeTools(40);
    const base = new CatalogSnapshot(1, shared);
    await index.apply({ next: base });
    const [lexicon] = add.mock.contexts as Lexicon[];
    const words = lexicon?.size;
    analyzed.mockClear();
    const found = async (snapshot: CatalogSnapshot, text: string) => {
      const all = ToolSet.of(snapshot.size, () => true);
      return (await index.search({ text, type: 'bm25', limit: 5 }, snapshot, all)).hits.map(
        ({ id }) => snapshot.at(id).name,
      );
    };
    const before = await found(base, shared[7]!.name);
    expect(before).not.toEqual([]);
    for (let request = 0; request < 100; request += 1) {
      const said = Array.from({ length: 50 }, (_, word) => `zyx${request}q${word}w`).join(' ');
      const own = fakeTool({ name: `zz.own_${request}`, description: said, owner: 'acme' });
      const next = new CatalogSnapshot(1, [own], [], base);
      await index.apply({ next, previous: base });
      expect(await found(next, `zyx${request}q7w`)).toEqual([own.name]);
    }
    expect(analyzed).toHaveBeenCalledTimes(100);
    expect(lexicon?.size).toBe(words);
    expect(await found(base, shared[7]!.name)).toEqual(before);
    jest.restoreAllMocks();
  });
});
