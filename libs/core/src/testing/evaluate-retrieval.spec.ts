import { evaluateRetrieval, type GoldenQuery } from './evaluate-retrieval.js';
import { FakeSource } from './fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from './open-toolbox.js';

const GOLDEN: readonly GoldenQuery[] = [
  { query: 'refund an invoice', relevant: ['billing.refund'] },
  { query: 'read a file', relevant: ['files.cat'] },
  { query: 'tell the time', relevant: ['clock.now'] },
  { query: 'sdfgh qwertz', relevant: [] },
];

describe('evaluateRetrieval', () => {
  let world: OpenToolbox;
  afterEach(() => world.close());
  const open = async (setup: ToolboxSetup = {}) => {
    const sources = [
      new FakeSource('billing', [
        { name: 'refund', description: 'Refund an invoice.' },
        { name: 'list', description: 'List invoices of a customer.' },
      ]),
      new FakeSource('files', [{ name: 'read', description: 'Read a file.', aliases: ['files.cat'] }]),
      new FakeSource('clock', [{ name: 'now', description: 'Tell the time.' }], { loading: 'always' }),
    ];
    world = await openToolbox({ sources, ...setup });
    return world;
  };

  it('measures what a context can find, and what the whole catalog can', async () => {
    const { toolbox, catalog } = await open();
    for (const searched of [toolbox, catalog]) {
      expect(await evaluateRetrieval(searched, GOLDEN)).toMatchObject({
        queries: 4,
        ndcg5: 1,
        recall1: 1,
        mrr: 1,
        none: { queries: 1, saidNone: 1, saidWeak: 0 },
        answerableRefused: 0,
        misses: [],
        text: '4 golden queries: nDCG@5 1.000, recall@5 1.000, MRR 1.000; 1 of 1 that nothing serves answered so',
      });
    }
  });

  it('reports every query that is not answered as it should be', async () => {
    const { toolbox } = await open();
    const report = await evaluateRetrieval(
      toolbox,
      [
        { query: 'refund an invoice', relevant: ['billing.refund', 'billing.list', 'clock.now'] },
        { query: 'sdfgh', relevant: ['billing.refund'] },
        { query: 'read a file', relevant: [] },
      ],
      { within: 1 },
    );
    expect(report).toMatchObject({
      recall1: 1 / 6,
      complete5: 0,
      answerableRefused: 1,
      none: { queries: 1, saidNone: 0, saidWeak: 0 },
    });
    expect(report.misses).toEqual([
      {
        query: 'refund an invoice',
        fault: 'too_late',
        missing: ['billing.list', 'clock.now'],
        found: expect.anything(),
      },
      { query: 'sdfgh', fault: 'refused', missing: ['billing.refund'], found: [] },
      { query: 'read a file', fault: 'found_some', missing: [], found: ['files.read'] },
    ]);
    expect(report.text.split('\n').slice(1)).toEqual([
      'missed (3):',
      expect.stringMatching(/^- "refund an invoice": missing billing.list, clock.now; found billing.refund/),
      '- "sdfgh": missing billing.refund; found nothing',
      '- "read a file": nothing serves it; found files.read',
    ]);
  });

  it('leaves no trace: no query changes the next, nor what the toolbox lists', async () => {
    const { toolbox } = await open({ options: { exposure: 'deferred', activation: { activateOn: 'search' } } });
    const before = await toolbox.list();
    const twice = [await evaluateRetrieval(toolbox, GOLDEN), await evaluateRetrieval(toolbox, GOLDEN)];
    expect(twice[1]).toEqual(twice[0]);
    expect(await toolbox.list()).toEqual(before);
  });

  it('refuses an empty set, and unknown tools', async () => {
    const { toolbox, catalog } = await open({ policy: { deny: ['billing.*'] } });
    const refusal = (message: RegExp) => ({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) });
    await expect(evaluateRetrieval(toolbox, [])).rejects.toMatchObject(refusal(/no golden queries/));
    await expect(evaluateRetrieval(toolbox, GOLDEN)).rejects.toMatchObject(refusal(/not there: billing.refund\./));
    await expect(evaluateRetrieval(catalog, GOLDEN, { within: 11 })).rejects.toMatchObject(refusal(/within/));
    expect((await evaluateRetrieval(catalog, GOLDEN)).misses).toEqual([]);
  });

  it('says so where search is switched off', async () => {
    const { toolbox } = await open({ options: { exposure: 'all' } });
    await expect(evaluateRetrieval(toolbox, GOLDEN)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
