import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox } from '../testing/open-toolbox.js';
import { type Explanation, explanationDiff } from './explanation.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };
const LAYERS = [
  'source',
  'quarantine',
  'policy',
  'visibility',
  'kill_switch',
  'lifecycle',
  'arguments',
  'call_policy',
  'approval',
  'limit',
  'loading',
  'activation',
  'budget',
];

async function start() {
  const opened = await openToolbox({
    sources: [
      new FakeSource('crm', [
        'read',
        'hidden',
        'asked',
        { name: 'odd', description: 'Reads\u202e.' },
        { name: 'long', description: 'x'.repeat(9999) },
      ]),
      new FakeSource('own', ['plan'], { owner: 'globex' }),
    ],
    policy: { deny: ['crm.denied'], approval: ['crm.asked'] },
    visibility: { filter: (tools) => tools.filter(({ name }) => name !== 'crm.hidden') },
    options: { exposure: 'deferred', activation: { maxTools: 1 } },
  });
  return {
    ...opened,
    verdicts: ({ layers }: Explanation) => layers.map(({ layer, verdict }) => `${layer}:${verdict}`),
  };
}

describe('an explanation', () => {
  it('names every layer in order, and what is true of a tool that passes them', async () => {
    const { toolbox, eventsOf, close } = await start();
    const state = async () => {
      const { outcome, layers } = await toolbox.explain('crm.read');
      expect(layers.map(({ layer }) => layer)).toEqual(LAYERS);
      return [outcome, layers.find(({ layer }) => layer === 'activation')?.rule];
    };
    expect(await state()).toEqual(['allow', 'inactive']);
    await toolbox.search({ query: 'read' });
    expect(await state()).toEqual(['allow', 'offered']);
    await toolbox.call('crm.read', {});
    expect(await state()).toEqual(['allow', 'activated']);
    expect(eventsOf('tool.explained')).toHaveLength(3);
    await close();
  });

  it.each<[string, string, string]>([
    ['crm.odd', 'quarantine', 'suspicion'],
    ['crm.hidden', 'visibility', 'filter'],
    ['crm.long', 'source', 'refused'],
    ['own.plan', 'source', 'unknown'],
    ['no.such', 'source', 'unknown'],
  ])('of %s stops at the layer that decides: %s', async (name, layer, rule) => {
    const { toolbox, close } = await start();
    const { outcome, layers } = await toolbox.explain(name);
    const at = LAYERS.indexOf(layer);
    expect([outcome, layers[at]?.verdict, layers[at]?.rule]).toEqual(['deny', 'deny', rule]);
    expect(layers.map(({ verdict }) => verdict)).toEqual(
      LAYERS.map((_, index) => (index < at ? 'pass' : index === at ? 'deny' : 'not_reached')),
    );
    await close();
  });

  it('of an unknown name lists the sources of the tenant and the shared ones, and no others', async () => {
    const broken = (name: string, owner: string) => {
      const source = new FakeSource(name, ['plan'], { owner });
      source.failWith(new Error('down'));
      return source;
    };
    const refused = { name: 'takeover', description: 'x'.repeat(9999) };
    const { open, close } = await openToolbox({
      sources: [
        broken('shared', ''),
        broken('secret', 'globex'),
        new FakeSource('deals', [refused], { owner: 'globex' }),
      ],
    });
    const reasonTo = async (tenantId: string, name: string) =>
      (await open({ tenantId }).explain(name)).layers[0]?.reason;
    expect(await reasonTo('acme', 'no.such')).toBe('no such tool; not ready: shared');
    expect(await reasonTo('acme', 'deals.takeover')).toBe('no such tool; not ready: shared');
    expect(await reasonTo('globex', 'no.such')).toBe('no such tool; not ready: shared, secret');
    expect(await reasonTo('globex', 'deals.takeover')).toContain('source deals brought it');
    await close();
  });

  it('asks no store where everything is listed, and needs no session that a call needs not', async () => {
    const store = new MemoryActivationStore();
    const lists = jest.spyOn(store, 'list');
    const { toolbox, close } = await openToolbox({
      sources: [new FakeSource('crm', ['read'])],
      options: { exposure: 'all', activation: { scope: 'session', maxTools: 1 } },
      store,
    });
    expect(await toolbox.call('crm.read', {})).toMatchObject({ ok: true });
    const { layers } = await toolbox.explain('crm.read');
    expect(layers.at(-1)).toMatchObject({ layer: 'budget', verdict: 'pass' });
    expect(lists).not.toHaveBeenCalled();
    await close();
  });

  it('reads the activations of the run once, and leaves room by tokens undecided', async () => {
    const store = new MemoryActivationStore();
    const budgetOf = async (maxTokens: number) => {
      const options = { exposure: 'deferred', activation: { maxTokens } } as const;
      const { toolbox, close } = await openToolbox({ sources: [new FakeSource('crm', ['read'])], options, store });
      const { layers } = await toolbox.explain('crm.read');
      await close();
      return layers.at(-1)?.reason;
    };
    const lists = jest.spyOn(store, 'list');
    expect(await budgetOf(0)).toBe('there is room for it');
    expect(lists).toHaveBeenCalledTimes(1);
    expect(await budgetOf(1)).toBe('there is room for it, unless it has too many tokens');
  });

  it('says that a full run cannot call what is listed but not activated', async () => {
    const options = { exposure: 'auto', activation: { maxTools: 1 } } as const;
    const { toolbox, close } = await openToolbox({ sources: [new FakeSource('crm', ['read', 'write'])], options });
    await toolbox.call('crm.read', {});
    expect(await toolbox.call('crm.write', {})).toMatchObject({ code: 'ACTIVATION_LIMIT' });
    const { layers } = await toolbox.explain('crm.write');
    expect(layers.slice(-2)).toMatchObject([{ rule: 'listed' }, { layer: 'budget', verdict: 'deny' }]);
    await close();
  });

  it('follows what operators decide, and says when the run is full', async () => {
    const { toolbox, killSwitches, storedPolicies, open, verdicts, close } = await start();
    expect(await toolbox.explain('crm.asked')).toMatchObject({ outcome: 'approve' });
    await toolbox.call('crm.read', {});
    expect(verdicts(await toolbox.explain('crm.asked'))).toContain('budget:deny');
    const { killSwitch } = await killSwitches.engage({ ...OLGA, kind: 'tool', value: 'crm.read', tenantId: 'acme' });
    const [off, on] = [await toolbox.explain('crm.read'), await open({ tenantId: 'globex' }).explain('crm.read')];
    const diff = explanationDiff(off, on);
    expect([diff.isSame, diff.partsAt]).toEqual([false, 'kill_switch']);
    expect(diff.differences[0]).toMatchObject({
      left: { rule: killSwitch.id, reason: 'incident 7' },
      right: { verdict: 'pass' },
    });
    expect(explanationDiff(on, on)).toMatchObject({ isSame: true, differences: [] });
    await storedPolicies.set({ tenantId: 'acme' }, { deny: ['crm.*'] }, OLGA);
    expect(verdicts(await toolbox.explain('crm.read')).slice(2, 4)).toEqual(['policy:deny', 'visibility:not_reached']);
    await close();
  });
});
