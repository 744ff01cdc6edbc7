import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { type Activation, MemoryActivationStore } from '@tool-search/core/stores';
import { FakeSource, openToolbox } from '@tool-search/core/testing';

/* Mode `off` does none of the work that makes tools searchable. Benchmarks measure its time and memory. */

const context = () => ({ tenantId: 'acme' });
const bomb = (): never => {
  throw new Error('this is work that nobody asked for');
};
const sources = () => [
  new FakeSource('crm', ['read', 'write']),
  new FakeSource('wiki', ['find'], { loading: 'always' }),
];

describe('a module that is off', () => {
  it('opens no index, applies no catalog to it, and counts no token while tools are listed and called', async () => {
    const index = { engine: 'bomb', open: bomb, apply: bomb, search: bomb };
    const module = await Test.createTestingModule({
      imports: [ToolSearchModule.forRoot({ context, sources: sources(), exposure: 'off', index, countTokens: bomb })],
    })
      .setLogger(false as never)
      .compile();
    await module.init();
    const toolbox = module.get(ToolSearchService).open(context());
    const { tools, meta, prompt } = await toolbox.surface({ text: 'find a page' });
    expect(tools.map(({ name }) => name)).toEqual(['crm.read', 'crm.write', 'wiki.find']);
    expect([meta, prompt]).toEqual([[], {}]);
    expect(await toolbox.call('wiki.find', {})).toMatchObject({ ok: true });
    await module.close();
  });

  it('holds nothing of a run, however long it gets: no activations are read, no offers are kept', async () => {
    class Unread extends MemoryActivationStore {
      override list(): Promise<readonly Activation[]> {
        return bomb();
      }
    }
    const { toolbox, exposure, close } = await openToolbox({
      sources: sources(),
      store: new Unread(),
      options: { exposure: 'off' },
    });
    for (let step = 0; step < 20; step++) expect((await toolbox.surface()).tools).toHaveLength(3);
    await toolbox.get(['crm.read']);
    expect((await toolbox.list()).map(({ active }) => active)).toEqual([false, false, false]);
    expect(exposure.configured).toBe('all');
    await close();
  });
});
