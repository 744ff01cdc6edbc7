import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import { wireName } from '../../tool/tool-name.js';

const LONG = `export_${'all_'.repeat(20)}orders`;
const REFUND = 'billing.refund.create';
const OLGA = { actor: 'olga', reason: 'refunds twice' };

async function opened(setup: ToolboxSetup = {}) {
  const billing = new FakeSource('billing', [
    { name: 'refund.create', aliases: ['billing.pay_back'] },
    { name: 'refund__twice' },
    { name: LONG },
    { name: 'list' },
    { name: 'a.b_c' },
    { name: 'a.b.c' },
  ]);
  const shop = new FakeSource('shop', [{ name: 'list' }, { name: 'stock' }]);
  const world = await openToolbox({ sources: [billing, shop], ...setup });
  const turnOff = (value: string) => world.killSwitches.engage({ kind: 'tool', value, ...OLGA });
  const newest = async () => (await world.records.list({ kind: 'call' }, { limit: 1 }))[0];
  return { ...world, turnOff, newest };
}

describe('a call of a hidden tool', () => {
  it.each([false, true])(
    'asks visibility policies as a call of an unknown one does, without namespaces: %s',
    async (bareNames) => {
      const asked: number[] = [];
      const { open, close } = await opened({
        visibility: {
          filter: (tools) => (asked.push(tools.length), tools.filter(({ name }) => name !== 'shop.stock')),
        },
      });
      const asksFor = async (name: string) => {
        asked.length = 0;
        await open({ tenantId: 'acme', userId: name, runId: name }).call(name, {}, { bareNames });
        return asked.toSorted((a, b) => a - b);
      };
      const largest = [];
      for (const name of ['shop.none', 'shop.stock', 'shop__stock', 'shop_stock', 'stock', 'none']) {
        largest.push((await asksFor(name)).at(-1) ?? 0);
      }
      expect(new Set(largest).size).toBe(1);
      await close();
    },
  );
});

describe('a call of a tool that is switched off', () => {
  it.each([
    ['its wire name', REFUND, wireName(REFUND)],
    ['a spelling of its name', REFUND, 'billing_refund_create'],
    ['a spelling of its alias', REFUND, 'billing__pay_back'],
    ['a wire name with a digest', 'billing.refund__twice', wireName('billing.refund__twice')],
    ['a wire name of 64 characters', `billing.${LONG}`, wireName(`billing.${LONG}`)],
    ['a wire name of 128 characters', `billing.${LONG}`, wireName(`billing.${LONG}`, 128)],
    ['a wire name that reads like that of another tool', 'billing.a.b_c', wireName('billing.a.b_c')],
  ])('by %s is recorded as that, and answered like a call of an unknown tool', async (_, tool, name) => {
    const { toolbox, turnOff, newest, eventsOf, close } = await opened();
    const unknown = await toolbox.call('billing__none', {});
    expect(await newest()).toMatchObject({ tool: 'billing__none', layer: 'source', rule: 'unknown' });
    await turnOff(tool);
    const own = await toolbox.call(tool, {});
    const byItsName = await newest();
    expect(await toolbox.call(name, {})).toEqual(unknown);
    expect(own).toEqual(unknown);
    expect(await newest()).toEqual({
      ...byItsName,
      id: expect.any(String),
      at: expect.any(Number),
      ms: expect.any(Number),
    });
    expect(byItsName).toMatchObject({ tool, decision: 'deny', layer: 'kill_switch', reason: 'refunds twice' });
    expect(eventsOf('tool.denied').map(({ tool: of, layer }) => [of, layer])).toEqual([
      ['billing__none', 'source'],
      [tool, 'kill_switch'],
      [tool, 'kill_switch'],
    ]);
    await close();
  });

  it('is recorded through the bridge, and for work that the application does itself', async () => {
    const { toolbox, turnOff, newest, records, close } = await opened();
    await turnOff(REFUND);
    await toolbox.call('tool_call', { name: wireName(REFUND), arguments: {} });
    expect(await newest()).toMatchObject({ tool: REFUND, layer: 'kill_switch' });
    await expect(toolbox.admit(wireName(REFUND))).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect((await records.list({ kind: 'admitted' }, { limit: 1 }))[0]).toMatchObject({ tool: REFUND });
    await close();
  });

  it('by a name without a namespace is recorded for a caller whose list may have such names', async () => {
    const { toolbox, turnOff, newest, close } = await opened();
    await turnOff('shop.stock');
    await toolbox.call('stock', {});
    expect(await newest()).toMatchObject({ tool: 'stock', rule: 'unknown' });
    await toolbox.call('stock', {}, { bareNames: true });
    expect(await newest()).toMatchObject({ tool: 'shop.stock', layer: 'kill_switch' });
    await turnOff('shop.list');
    await turnOff('billing.list');
    await toolbox.call('list', {}, { bareNames: true });
    expect(await newest()).toMatchObject({ tool: 'list', rule: 'unknown' });
    await toolbox.narrow({ allow: ['shop.*'] }).call('list', {}, { bareNames: true });
    expect(await newest()).toMatchObject({ tool: 'shop.list', layer: 'kill_switch' });
    await close();
  });

  it('by a name that tools of two namespaces have is recorded as the one that the caller saw before', async () => {
    const { toolbox, turnOff, newest, close } = await opened({ policy: { deny: ['billing.list'] } });
    await turnOff('shop.list');
    await toolbox.call('list', {}, { bareNames: true });
    expect(await newest()).toMatchObject({ tool: 'shop.list', layer: 'kill_switch' });
    await close();
  });
});

it.each([
  ['denied', { policy: { deny: [REFUND] } }, 'policy'],
  ['left out by a visibility policy', { visibility: { filter: () => [] } }, 'visibility'],
])('a call by its wire name of a tool that is %s is recorded with that reason', async (_, setup, layer) => {
  const { toolbox, newest, close } = await opened(setup);
  const unknown = await toolbox.call('billing__none', {});
  expect(await toolbox.call(wireName(REFUND), {})).toEqual(unknown);
  expect(await newest()).toMatchObject({ tool: REFUND, layer });
  await close();
});

it('a call by its wire name of a tool that has stopped is answered like a call of an unknown tool', async () => {
  const { toolbox, newest, deprecations, close } = await opened({ now: () => Date.UTC(2030, 0, 2) });
  await deprecations.set(REFUND, { sunset: '2030-01-01' }, OLGA);
  const unknown = await toolbox.call('billing__none', {});
  expect(await toolbox.call(REFUND, {})).toMatchObject({ code: 'TOOL_RETIRED' });
  expect(await toolbox.call(wireName(REFUND), {})).toEqual(unknown);
  expect(await newest()).toMatchObject({ tool: REFUND, layer: 'lifecycle' });
  await close();
});

it('a wire name reaches no tool that may be called, and is recorded as an unknown name', async () => {
  const { toolbox, newest, close } = await opened();
  const unknown = await toolbox.call('billing__none', {});
  for (const name of [wireName(REFUND), 'billing_refund_create', 'Billing.Refund.Create']) {
    expect(await toolbox.call(name, {})).toEqual(unknown);
    expect(await newest()).toMatchObject({ tool: name, rule: 'unknown', definitionHash: '' });
  }
  expect(await toolbox.call('stock', {}, { bareNames: true })).toEqual(unknown);
  expect(await newest()).toMatchObject({ tool: 'stock', rule: 'unknown' });
  await close();
});
