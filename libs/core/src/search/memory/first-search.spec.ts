import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';

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

  it('is not created where all tools are listed', async () => {
    const { close } = await openToolbox({ sources: [source()], exposure: 'all' });
    await close();
    expect(created).not.toHaveBeenCalled();
  });

  it('is created at boot where tools are deferred, so that the first search does not wait', async () => {
    const { toolbox, close } = await openToolbox({ sources: [source()], exposure: 'deferred' });
    expect(created).toHaveBeenCalledTimes(1);
    await toolbox.search({ query: 'give the money back' });
    await close();
    expect(created).toHaveBeenCalledTimes(1);
  });
});
