import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { MemoryToolIndex } from './memory-tool-index.js';

const created = jest.fn();
// The data of the synonyms, read once when their table is created.
jest.mock('../text/synonyms/synonym-groups.js', () => {
  const { SYNONYM_GROUPS } = jest.requireActual<{ SYNONYM_GROUPS: object[] }>('../text/synonyms/synonym-groups.js');
  return {
    SYNONYM_GROUPS: {
      *[Symbol.iterator]() {
        created();
        yield* SYNONYM_GROUPS;
      },
    },
  };
});

describe('what searches need once', () => {
  const source = () => new FakeSource('billing', [{ name: 'refund', description: 'Refund an invoice.' }]);

  it('is not created by an index without tools', async () => {
    await new MemoryToolIndex().apply({ next: new CatalogSnapshot(1, []) });
    expect(created).not.toHaveBeenCalled();
  });

  it('is created when the first tools are indexed, so that the first search does not wait', async () => {
    const { toolbox, close } = await openToolbox({ sources: [source()] });
    expect(created).toHaveBeenCalledTimes(1);
    await toolbox.search({ query: 'give the money back' });
    await close();
    expect(created).toHaveBeenCalledTimes(1);
  });
});
