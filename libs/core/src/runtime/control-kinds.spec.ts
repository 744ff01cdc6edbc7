import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../testing/open-toolbox.js';
import type { StoredKind } from '../access/control/control-kind.js';
import { controlSnapshot } from '../access/control/control-snapshot.js';
import { ASKED_KINDS } from '../access/control/control-store.js';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import { CONTROL_KINDS } from './control-kinds.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };
const TOOL = 'crm.delete';

type World = OpenToolbox & { readonly store: MemoryControlStore };

async function world(): Promise<World> {
  const store = new MemoryControlStore();
  const source = new FakeSource('crm', [{ name: 'delete', description: 'Deletes a contact.\u202E' }]);
  return { ...(await openToolbox({ sources: [source], controlStore: store })), store };
}

/** For each kind, its decisions in the order in which they can be made, by their actions. */
const DECISIONS: Readonly<Record<string, Readonly<Record<string, (app: World) => Promise<unknown>>>>> = {
  kill_switch: {
    'kill_switch.engaged': ({ killSwitches }) => killSwitches.engage({ ...OLGA, kind: 'tool', value: TOOL }),
    'kill_switch.released': async ({ killSwitches }) => {
      for (const { id, revision } of killSwitches.list()) {
        await killSwitches.release(id, { ...OLGA, expectedRevision: revision });
      }
    },
  },
  policy: {
    'policy.set': ({ storedPolicies }) => storedPolicies.set({ tenantId: 'acme', agentId: 'a' }, { deny: [] }, OLGA),
    'policy.removed': ({ storedPolicies }) => storedPolicies.remove({ tenantId: 'acme', agentId: 'a' }, OLGA),
  },
  quarantine: {
    'quarantine.rejected': ({ quarantine }) => quarantine.decide(quarantine.list()[0]?.id ?? '', 'rejected', OLGA),
    'quarantine.approved': ({ quarantine }) => quarantine.decide(quarantine.list()[0]?.id ?? '', 'approved', OLGA),
  },
  example_queries: {
    'example_queries.set': ({ exampleQueries: of }) => of.set(of.list()[0]?.id ?? '', ['remove a person'], OLGA),
    'example_queries.discarded': ({ exampleQueries: of }) => of.rewrite(of.list()[0]?.id ?? '', OLGA),
  },
  limit: {
    'limit.set': ({ toolLimits }) =>
      toolLimits.set({ id: 'few', match: { tenantId: 'acme' }, rate: { calls: 1, windowMs: 1000 } }, OLGA),
    'limit.removed': ({ toolLimits }) => toolLimits.remove('few', OLGA),
  },
  profile: {
    'profile.set': ({ profiles }) => profiles.set('support', { allow: ['crm.*'] }, OLGA),
    'profile.removed': ({ profiles }) => profiles.remove('support', OLGA),
  },
  deprecation: {
    'deprecation.set': ({ deprecations }) => deprecations.set(TOOL, { sunset: '2999-01-01' }, OLGA),
    'deprecation.removed': ({ deprecations }) => deprecations.remove(TOOL, OLGA),
  },
};

describe.each(CONTROL_KINDS.stored.map((kind) => [kind.kind, kind] as const))(
  'a decision of the kind %s',
  (name, kind) => {
    it('replaces its part of the snapshot and no other, emits its event, and is proven by the audit trail', async () => {
      const app = await world();
      const { control, audit, store, happened } = app;
      const decisions = DECISIONS[name] ?? {};
      expect(Object.keys(decisions).toSorted()).toEqual(Object.keys(kind.events).toSorted());
      for (const [action, decide] of Object.entries(decisions)) {
        const [before, views] = [control.current(), control.rulesRevision];
        await decide(app);
        const now = control.current();
        const changed = CONTROL_KINDS.stored.filter((each) => now.of(each) !== before.of(each));
        expect([action, changed.map((each) => each.kind)]).toEqual([action, [name]]);
        expect(control.rulesRevision - views).toBe(kind.changesViews ? 1 : 0);
        const { revision } = now;
        expect(happened.filter(({ type }) => type === action)).toEqual([
          expect.objectContaining({ type: action, actor: 'olga', revision }),
        ]);
        expect(await audit.verify()).toMatchObject({ valid: true, revision });
        expect((await store.read())?.records.map(({ key, value }) => kind.keyOf(value) === key)).not.toContain(false);
      }
    });

    it('that is repeated with its idempotency key changes and emits nothing', async () => {
      const app = await world();
      const [[action, decide]] = Object.entries(DECISIONS[name] ?? {}) as [[string, (app: World) => Promise<unknown>]];
      await decide(app);
      const { revision } = app.control.current();
      const again = jest.spyOn(app.store, 'change').mockImplementation(async () => {
        const [entry] = await app.store.newestAudit({}, { limit: 1 });
        if (!entry) throw new Error('no entry');
        return { outcome: 'replayed', entry };
      });
      await decide(app);
      again.mockRestore();
      expect(app.control.current().revision).toBe(revision);
      expect(app.happened.filter(({ type }) => type === action)).toHaveLength(1);
    });

    it('that a tampered store holds is found, whatever its kind', async () => {
      const app = await world();
      const [decide] = Object.values(DECISIONS[name] ?? {});
      await decide?.(app);
      const state = await app.store.read();
      const forged = (state?.records ?? []).map((record) => ({
        ...record,
        value: { ...record.value, reason: 'forged' },
      }));
      jest.spyOn(app.store, 'read').mockResolvedValue({ revision: state?.revision ?? 0, records: forged });
      expect(await app.audit.verify()).toMatchObject({
        valid: false,
        records: [{ kind: name, key: forged[0]?.key, reason: 'the record was changed' }],
      });
    });
  },
);

describe('the kinds', () => {
  const { stored, asked } = CONTROL_KINDS;

  it('have different names, and each begins the actions of its decisions', () => {
    const names = [...stored, ...asked].map(({ kind }) => kind);
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, events } of [...stored, ...asked]) {
      for (const action of Object.keys(events)) expect(action.startsWith(`${kind}.`)).toBe(true);
    }
  });

  it('that requests write are those that stores keep out of snapshots, and no stored kind is', () => {
    const outside: readonly string[] = ASKED_KINDS;
    expect(asked.filter(({ kind }) => !outside.includes(kind))).toEqual([]);
    expect(stored.filter(({ kind }) => outside.includes(kind))).toEqual([]);
  });

  it('that decide which tools a context sees until further notice end cached views; the others are asked at each use', () => {
    expect(stored.filter(({ changesViews }) => changesViews).map(({ kind }) => kind)).toEqual(['policy', 'quarantine']);
  });

  it('that a control plane was not given are an error, never "nothing decided"', () => {
    const [first, ...rest] = stored as [StoredKind, ...StoredKind[]];
    const snapshot = controlSnapshot(rest, { revision: 0, records: [] });
    expect(() => snapshot.of(first)).toThrow('does not know the kind kill_switch');
  });
});
