import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { MemoryActivationStore } from '@tool-search/core/internal';
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

  it('shows the bytes of a plain list and no prompt, with any other options', async () => {
    const plain = (await openToolbox({ sources: sources(), options: { exposure: 'off' } })).catalog.current().tools;
    const options = {
      exposure: {
        mode: 'off',
        guidance: 'Search for tools.',
        hints: { enabled: true, includeAlwaysLoaded: true },
        directory: { enabled: true },
        metaTools: { search: 'find_tools' },
      },
      activation: { activateOn: 'search' },
      search: { limit: 1 },
    } as const;
    for (const preset of [undefined, 'penguiflow', 'praisonai', 'mastra'] as const) {
      const { toolbox } = await openToolbox({ sources: sources(), options: { ...options, ...(preset && { preset }) } });
      const { tools, meta, prompt } = await toolbox.surface({
        text: 'find a page',
        mode: 'deferred',
        contextWindow: 1,
      });
      const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      const expected = plain.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      expect([JSON.stringify(sent), meta, prompt]).toEqual([JSON.stringify(expected), [], {}]);
    }
  });

  it('keeps no state of a run: nothing is activated, offered, counted or searched', async () => {
    const store = new MemoryActivationStore();
    for (const method of ['list', 'activate', 'lastUse'] as const) {
      jest.spyOn(store, method).mockImplementation(bomb);
    }
    const { toolbox, happened, runStates, close } = await openToolbox({
      sources: sources(),
      store,
      options: { exposure: 'off' },
    });
    const idle = JSON.stringify([...runStates.of({ tenantId: 'acme', userId: 'ada', runId: 'run-1' }).offered]);
    for (let step = 0; step < 20; step++) {
      expect((await toolbox.surface()).tools).toHaveLength(3);
      await toolbox.get(['crm.read', 'crm.write']);
      const result = await toolbox.call('crm.read', {});
      expect(result).toMatchObject({ ok: true });
      expect(result).not.toHaveProperty('activated');
    }
    expect((await toolbox.list()).map(({ active }) => active)).toEqual([false, false, false]);
    expect(await toolbox.state()).toMatchObject({ activated: [], offered: [] });
    expect(JSON.stringify([...runStates.of({ tenantId: 'acme', userId: 'ada', runId: 'run-1' }).offered])).toBe(idle);
    const types = new Set(happened.map(({ type }) => type));
    for (const type of ['tool.offered', 'tool.activated', 'surface.shown'] as const) expect(types).not.toContain(type);
    await close();
  });

  it('is not offered what a toolbox reads or finds while all tools are listed, in `all` and in `auto`', async () => {
    for (const [exposure, request, isOffered] of [
      ['all', undefined, false],
      ['auto', undefined, false],
      ['auto', {}, false],
      ['deferred', { mode: 'all' }, false],
      ['auto', { mode: 'deferred' }, true],
      ['deferred', undefined, true],
    ] as const) {
      const { toolbox, eventsOf } = await openToolbox({ sources: sources(), options: { exposure } });
      if (request) await toolbox.surface(request);
      await toolbox.get(['crm.read']);
      if (exposure !== 'all') await toolbox.search({ query: 'write' });
      const names = isOffered ? ['crm.read', 'crm.write'] : [];
      expect(eventsOf('tool.offered').flatMap(({ tools }) => tools)).toEqual(names);
      expect((await toolbox.state()).offered).toEqual(names);
    }
  });
});
