import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox } from '../testing/open-toolbox.js';

class SlowSource extends FakeSource {
  override load(): Promise<never> {
    return new Promise(() => undefined);
  }
}

describe('before any shared source has loaded', () => {
  const open = (...sources: FakeSource[]) =>
    openToolbox({
      sources: [new SlowSource('crm', [{ name: 'read_all' }]), ...sources],
      options: { exposure: 'deferred', catalog: { bootWaitMs: 1 } },
    });

  it('a search has no hits', async () => {
    const { toolbox, close } = await open();
    expect(await toolbox.search({ query: 'read' })).toMatchObject({ tools: [], verdict: 'none' });
    await close();
  });

  it("a search finds a tenant's own tools", async () => {
    const { toolbox, catalog, close } = await open();
    await catalog.add(new FakeSource('own', [{ name: 'read_own' }], { owner: 'acme' }));
    while (catalog.current('acme').size === 0) await new Promise(setImmediate);
    expect(await toolbox.search({ query: 'read' })).toMatchObject({ tools: [{ name: 'own.read_own' }] });
    await close();
  });
});
