import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import type { Deprecation } from '../tool/deprecation.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

const OPERATOR = { actor: 'olga', reason: 'the new provider' };
const NOON = Date.parse('2026-06-01T12:00:00Z');
const PAST: Deprecation = { since: '2026-01-01', sunset: '2026-05-01', successor: 'billing.repay' };
const COMING: Deprecation = { since: '2026-01-01', sunset: '2027-01-01', successor: 'billing.repay' };

describe('a deprecated tool', () => {
  it('is found after its successor, which the search puts before it', async () => {
    const { toolbox } = await world({ deprecated: COMING });
    const { tools } = await toolbox.search({ query: 'refund an old invoice' });

    expect(tools.map(({ name }) => name).slice(0, 2)).toEqual(['billing.repay', 'billing.refund']);
    expect(tools[1]?.deprecated).toEqual(COMING);
    expect(tools[0]).not.toHaveProperty('deprecated');
    const scores = tools.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('names its successor to a model in search and definition, by the names that the model uses', async () => {
    const { toolbox } = await world({ deprecated: COMING });
    const naming = {
      shown: (name: string) => name.replace('.', '__'),
      canonical: (name: string) => name.replace('__', '.'),
    };
    const found = await toolbox.call('tool_search', { query: 'refund an old invoice', limit: 2 }, { naming });
    const got = await toolbox.call('tool_get', { names: ['billing__refund'] }, { naming });

    expect(found).toMatchObject({
      structured: {
        tools: [{ name: 'billing__repay' }, { name: 'billing__refund', deprecated: true, successor: 'billing__repay' }],
      },
    });
    expect(got).toMatchObject({
      structured: { tools: [{ deprecated: { ...COMING, successor: 'billing__repay' } }] },
    });
  });

  it('answers its calls with a note', async () => {
    const { toolbox } = await world({ deprecated: COMING });
    await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({
      ok: true,
      content: [{ text: 'refunded' }],
      note: 'billing.refund is deprecated since 2026-01-01 and stops on 2027-01-01. Use billing.repay instead.',
    });
    await expect(toolbox.call('billing.repay', {})).resolves.not.toHaveProperty('note');
  });

  it('keeps its result when the decisions of operators become unknown while it runs', async () => {
    const { toolbox, source, control } = await world({ deprecated: COMING });
    const run = source.call.bind(source);
    jest.spyOn(source, 'call').mockImplementation(async (...call) => {
      jest.spyOn(control, 'current').mockImplementation(() => {
        throw new ToolSearchError('GATE_CLOSED', 'The store cannot be read.');
      });
      return run(...call);
    });
    const result = await toolbox.call('billing.refund', {});
    expect(result).toMatchObject({ ok: true, content: [{ text: 'refunded' }] });
    expect(result).not.toHaveProperty('note');
  });

  it('stops at its sunset: not found, not listed, and a call names the successor', async () => {
    const { toolbox, source } = await world({ deprecated: PAST });
    const { tools } = await toolbox.search({ query: 'refund an old invoice' });

    expect(tools.map(({ name }) => name)).not.toContain('billing.refund');
    expect((await toolbox.visible()).map(({ name }) => name)).not.toContain('billing.refund');
    await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({
      ok: false,
      code: 'TOOL_RETIRED',
      message: 'This tool stopped on 2026-05-01.',
      hint: 'Use billing.repay instead.',
    });
    expect(source.calls).toEqual([]);
  });

  it('stops while it is in use, at the moment of its sunset', async () => {
    let now = NOON;
    const deprecated = { sunset: new Date(NOON + 1000).toISOString() };
    const { toolbox } = await world({ deprecated }, { now: () => now });
    await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({ ok: true });
    expect((await toolbox.visible()).map(({ name }) => name)).toContain('billing.refund');
    now += 1000;
    await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({ code: 'TOOL_RETIRED' });
    expect((await toolbox.visible()).map(({ name }) => name)).not.toContain('billing.refund');
  });

  it('never names a successor that the caller does not see', async () => {
    const policy = { deny: ['billing.repay'] };
    const coming = await world({ deprecated: COMING }, { policy });
    const past = await world({ deprecated: PAST }, { policy });
    const answers = [
      await coming.toolbox.search({ query: 'refund an old invoice' }),
      await coming.toolbox.get(['billing.refund']),
      await coming.toolbox.call('billing.refund', {}),
      await past.toolbox.call('billing.refund', {}),
    ];
    expect(JSON.stringify(answers)).toContain('TOOL_RETIRED');
    expect(JSON.stringify(answers)).not.toContain('repay');
  });

  it.each(['hidden', 'switched off'])('is like an unknown one after its sunset where it is %s', async (how) => {
    const { toolbox, killSwitches } = await world(
      { deprecated: PAST },
      how === 'hidden' ? { policy: { deny: ['billing.refund'] } } : {},
    );
    if (how === 'switched off') await killSwitches.engage({ kind: 'tool', value: 'billing.refund', ...OPERATOR });
    expect(await toolbox.call('billing.refund', {})).toEqual(await toolbox.call('billing.nothing', {}));
  });

  it('is explained as its own layer', async () => {
    const layer = async (deprecated?: Deprecation) => {
      const { toolbox } = await world(deprecated && { deprecated });
      const { layers, outcome } = await toolbox.explain('billing.refund');
      return { outcome, ...layers.find((each) => each.layer === 'lifecycle') };
    };
    expect(await layer()).toMatchObject({ outcome: 'allow', verdict: 'pass', reason: 'it is not deprecated' });
    expect(await layer(COMING)).toMatchObject({
      outcome: 'allow',
      verdict: 'pass',
      reason: expect.stringContaining('is deprecated since 2026-01-01') as string,
    });
    expect(await layer(PAST)).toMatchObject({
      outcome: 'deny',
      verdict: 'deny',
      rule: 'sunset',
      reason: 'it stopped on 2026-05-01',
    });
  });

  describe('by operators', () => {
    it('replaces what the definition says, until it is removed', async () => {
      const { toolbox, deprecations } = await world({ deprecated: PAST });
      const { revision } = await deprecations.set('billing.refund', { since: '2026-02-02' }, OPERATOR);
      await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({
        ok: true,
        note: 'billing.refund is deprecated since 2026-02-02.',
      });
      await deprecations.remove('billing.refund', { ...OPERATOR, expectedRevision: revision });
      await expect(toolbox.call('billing.refund', {})).resolves.toMatchObject({ code: 'TOOL_RETIRED' });
    });

    it('retires a tool in every toolbox at once, and leaves an entry in the audit trail and an event', async () => {
      const { toolbox, deprecations, control, happened } = await world();
      await toolbox.visible();
      await deprecations.set('billing.refund', PAST, OPERATOR);

      expect((await toolbox.visible()).map(({ name }) => name)).toEqual(['billing.other', 'billing.repay']);
      expect(await deprecations.find('billing.refund')).toMatchObject({
        tool: 'billing.refund',
        ...PAST,
        actor: 'olga',
      });
      expect(await deprecations.list({ limit: 5 })).toHaveLength(1);
      const [entry] = await control.store.newestAudit({ action: 'deprecation.' }, { limit: 1 });
      expect(entry).toMatchObject({ action: 'deprecation.set', actor: 'olga', subject: 'billing.refund' });
      expect(happened).toContainEqual(expect.objectContaining({ type: 'deprecation.set', tool: 'billing.refund' }));
    });

    it.each([
      ['a.*', {}],
      ['billing.refund', { since: 'yesterday' }],
      ['billing.refund', { sunset: '2026-13-45' }],
      ['billing.refund', { successor: 'no name!' }],
      ['billing.refund', { successor: 'billing.refund' }],
      ['billing.refund', { sunsets: '2026-01-01' }],
      ['billing.refund', null],
    ])('refuses %s with %j', async (tool, deprecation) => {
      const { deprecations } = await world();
      await expect(deprecations.set(tool, deprecation as Deprecation, OPERATOR)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
    });
  });
});

async function world(refund: { readonly deprecated?: Deprecation } = {}, setup: ToolboxSetup = {}) {
  const source = new FakeSource('billing', [
    { name: 'refund', description: 'Refund an old invoice to the customer.', run: () => 'refunded', ...refund },
    { name: 'repay', description: 'Give money back.', run: () => 'repaid' },
    { name: 'other', description: 'List the customers.' },
  ]);
  return { ...(await openToolbox({ sources: [source], now: () => NOON, ...setup })), source };
}
