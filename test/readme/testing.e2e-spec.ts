// The snippets of docs/guides/testing.md.
import { Test, type TestingModule } from '@nestjs/testing';
import type { ToolSource } from '@tool-search/core';
import { MemoryLearnedQueryStore } from '@tool-search/core/stores';
import {
  describeLearnedQueryStore,
  describeToolSource,
  evaluateRetrieval,
  expectVisible,
  FakeSource,
  FakeToolSources,
  openToolbox,
  ToolSearchTestingModule,
} from '@tool-search/core/testing';
import { InvoiceTools, PlanPolicy } from './invoice.tools.js';

// #region module
describe('tools of our plan', () => {
  let module: TestingModule;
  beforeEach(async () => {
    module = await Test.createTestingModule({
      imports: [
        ToolSearchTestingModule.forTools(
          ['crm.delete', { name: 'crm.read', run: ({ id }) => `customer ${String(id)}` }],
          {
            policy: { deny: ['crm.delete'] },
          },
        ),
      ],
      providers: [InvoiceTools, PlanPolicy], // what is under test
    }).compile();
  });
  afterEach(() => module.close());

  it('are those of the role', async () => {
    const anybody = await ToolSearchTestingModule.open(module);
    const finance = await ToolSearchTestingModule.open(module, { userId: 'flo', roles: ['finance'] });
    await expectVisible(anybody).toEqual(['crm.read', 'invoice.list']);
    await expectVisible(finance).toContain('invoice.refund');
    await expectVisible(finance).not.toContain('crm.delete');
  });

  it('are called as a model would call them', async () => {
    const toolbox = await ToolSearchTestingModule.open(module);
    const { tools } = await toolbox.search({ query: 'read a customer' });
    expect(await toolbox.call(tools[0]!.name, { id: '7' })).toMatchObject({ ok: true });
    expect(module.get(FakeToolSources).calls).toMatchObject([{ name: 'crm.read', input: { id: '7' } }]);
  });
});
// #endregion module

// #region golden
it('finds our tools by the words of our users', async () => {
  const module = await Test.createTestingModule({
    imports: [ToolSearchTestingModule.forRoot()],
    providers: [InvoiceTools],
  }).compile();
  const report = await evaluateRetrieval(await ToolSearchTestingModule.open(module), [
    { query: 'I want my money back', relevant: ['invoice.refund'] },
    { query: 'which invoices does she have?', relevant: ['invoice.list'] },
    { query: 'tomorrow’s weather', relevant: [] }, // the right answer is that there is no such tool
  ]);
  if (report.misses.length > 0) console.log(report.text); // which ones, and what was found instead
  expect(report.misses).toEqual([]);
  expect(report.ndcg5).toBeGreaterThan(0.9);
  await module.close();
});
// #endregion golden

// #region plain
it('works without Nest, too', async () => {
  const github = new FakeSource('github', ['list_issues', { name: 'close_issue', run: () => 'closed' }]);
  const { toolbox, killSwitches, eventsOf, close } = await openToolbox({ sources: [github] });
  await toolbox.call('github.close_issue', {});
  expect(eventsOf('tool.called')).toMatchObject([{ tool: 'github.close_issue', outcome: 'ok' }]);

  await killSwitches.engage({ kind: 'namespace', value: 'github', actor: 'olga', reason: 'incident' });
  await expectVisible(toolbox).toEqual([]);
  await close();
});
// #endregion plain

// #region contracts
class ClockSource implements ToolSource {
  readonly name = 'clock';

  async load() {
    return [
      { name: 'now', description: 'Tell the time.' },
      { name: 'set', description: 'Set the time.' },
    ];
  }

  async call(name: string) {
    if (name === 'now') return { content: [{ type: 'text' as const, text: 'noon' }] };
    return { content: [{ type: 'text' as const, text: 'nobody may' }], isError: true };
  }

  async close() {}
}

describeToolSource(
  'ClockSource',
  () => ({ source: new ClockSource(), works: { name: 'now', input: {} }, fails: { name: 'set', input: {} } }),
  { watches: false },
);
// #endregion contracts

// #region store
describeLearnedQueryStore('our store', async () => ({
  store: new MemoryLearnedQueryStore(),
  close: async () => undefined,
}));
// #endregion store
