/// <reference types="jest" />
import { setTimeout } from 'node:timers/promises';
import { type AuditEntry, brokenLink, NO_AUDIT } from '../../../access/control/audit-entry.js';
import type { ControlChange, ControlStore, NewControlRecord } from '../../../access/control/control-store.js';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;
const ALL = { limit: 1_000 };

const record = (key: string, of: Partial<NewControlRecord> = {}): NewControlRecord => ({
  kind: 'kill_switch',
  key,
  tenantId: '',
  value: { target: key },
  expiresAt: 0,
  ...of,
});
const change = (of: Partial<ControlChange>): ControlChange => ({
  action: 'kill_switch.engaged',
  actor: 'ada',
  reason: 'it pays twice',
  tenantId: '',
  subject: 'billing.refund',
  at: NOW,
  idempotencyKey: '',
  ...of,
});
const put = (key: string, of: Partial<ControlChange> = {}) => change({ put: record(key), ...of });
const approval = (key: string, of: Partial<NewControlRecord> = {}) =>
  record(key, { kind: 'approval', tenantId: 'acme', expiresAt: NOW + HOUR, ...of });
const parallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const seqs = (entries: readonly AuditEntry[]) => entries.map(({ seq }) => seq);
const keys = (records: readonly { key: string }[] | undefined) => records?.map(({ key }) => key).toSorted();

/**
 * The contract of {@link ControlStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param open creates an empty store, with a function that closes it; called once per test
 */
export function describeControlStore(
  name: string,
  open: () => Promise<{ store: ControlStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the promises of a control store`, () => {
    let store: ControlStore;
    let opened: Awaited<ReturnType<typeof open>>;
    const trail = () => store.audit({}, ALL);

    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    }, PATIENCE);
    afterEach(() => opened.close());

    describe('reading', () => {
      it('starts at revision 0 without records', async () => {
        expect(await store.read()).toEqual({ revision: 0, records: [] });
        expect(await store.read(0)).toBeUndefined();
        expect(await store.find('policy', 'acme')).toBeUndefined();
        expect(await trail()).toEqual([]);
        expect(await store.head()).toEqual(NO_AUDIT);
      });

      it('returns the current state, and undefined to a reader of this revision', async () => {
        await store.change(put('a'));
        const written = { ...record('a'), revision: 1 };
        expect(await store.read(0)).toEqual({ revision: 1, records: [written] });
        expect(await store.read(1)).toBeUndefined();
        // as after a restore: a client with a newer revision must get the current state too
        expect(await store.read(7)).toEqual({ revision: 1, records: [written] });
        expect(await store.find('kill_switch', 'a')).toEqual(written);
        expect(await store.find('policy', 'a')).toBeUndefined();
      });

      it('keeps keys of different kinds apart, and values as they are', async () => {
        const value = { text: '"; DROP TABLE -- ünï 创建 \u0000', list: [1, -0.5, null, true, { deep: [] }], '': '' };
        const policy = record('a', { kind: 'policy', tenantId: 'acme', value, expiresAt: NOW + HOUR });
        await store.change(put('a'));
        await store.change(change({ put: policy }));
        await store.change(change({ put: record('a', { kind: 'quarantine' }) }));
        await store.ask(approval('a'), NOW, { perTenant: 9, perUser: 9 });
        await store.change(change({ put: approval('a') }));
        expect((await store.read())?.records.map(({ kind }) => kind).toSorted()).toEqual([
          'kill_switch',
          'policy',
          'quarantine',
        ]);
        expect(await store.find('policy', 'a')).toEqual({ ...policy, revision: 2 });
        expect(await store.find('approval', 'a')).toEqual({ ...approval('a'), revision: 4 });
        expect((await trail())[1]?.after).toEqual(value);
        expect(brokenLink(NO_AUDIT, await trail())).toBeUndefined();
      });

      it.each(['kill_switch', 'policy', 'a_kind_of_tomorrow'])(
        'gives every instance what operators decide as %s',
        async (kind) => {
          const written = record('a', { kind, value: { id: 'a', allow: ['x.*'] } });
          await store.change(change({ put: written, action: `${kind}.set` }));
          expect((await store.read(0))?.records).toEqual([{ ...written, revision: 1 }]);
          expect((await store.read(0, ['limit', kind]))?.records).toEqual([{ ...written, revision: 1 }]);
          expect(await store.list(kind, ALL)).toEqual([{ ...written, revision: 1 }]);
          await store.change(change({ remove: { kind, key: 'a' }, action: `${kind}.removed` }));
          expect(await store.read(1)).toEqual({ revision: 2, records: [] });
        },
      );
    });

    describe('changing', () => {
      it('writes, replaces and removes, each with its entry', async () => {
        const first = await store.change(put('a'));
        const replaced = record('a', { value: { target: 'b' }, expiresAt: 5 });
        await store.change(change({ put: replaced, action: 'kill_switch.replaced', at: NOW + 1 }));
        expect(await store.find('kill_switch', 'a')).toEqual({ ...replaced, revision: 2 });
        const removal = change({ remove: { kind: 'kill_switch', key: 'a' }, action: 'kill_switch.released' });
        expect(await store.change(removal)).toMatchObject({ outcome: 'changed', entry: { seq: 3, revision: 3 } });
        expect(await store.read(2)).toEqual({ revision: 3, records: [] });

        const entries = await trail();
        expect(first).toEqual({ outcome: 'changed', entry: entries[0] });
        expect(entries[0]).toMatchObject({ seq: 1, revision: 1, at: NOW, actor: 'ada', reason: 'it pays twice' });
        expect(entries[0]).toMatchObject({ subject: 'billing.refund', tenantId: '', idempotencyKey: '', prevHash: '' });
        expect(entries.map(({ before, after }) => [before, after])).toEqual([
          [null, { target: 'a' }],
          [{ target: 'a' }, { target: 'b' }],
          [{ target: 'b' }, null],
        ]);
        expect(brokenLink(NO_AUDIT, entries)).toBeUndefined();
      });

      it('changes no record whose revision the operator has not seen', async () => {
        expect(await store.change(put('a', { expectedRevision: 1 }))).toEqual({ outcome: 'conflict' });
        expect(await store.change(put('a', { expectedRevision: 0 }))).toMatchObject({ outcome: 'changed' });
        const current = { ...record('a'), revision: 1 };
        for (const expectedRevision of [0, 2]) {
          const wanted = change({ put: record('a', { value: { lost: true } }), expectedRevision });
          expect(await store.change(wanted)).toEqual({ outcome: 'conflict', current });
        }
        await store.change(put('b'));
        expect(await store.change(put('a', { expectedRevision: 1 }))).toMatchObject({ outcome: 'changed' });
        const remove = { kind: 'kill_switch', key: 'a' } as const;
        expect(await store.change(change({ remove, expectedRevision: 1 }))).toMatchObject({ outcome: 'conflict' });
        expect(await store.change(change({ remove, expectedRevision: 3 }))).toMatchObject({ outcome: 'changed' });
        expect(await store.change(change({ remove }))).toEqual({ outcome: 'conflict' });
        expect(await trail()).toHaveLength(4);
      });

      it(
        'lets exactly one of two win that saw the same',
        async () => {
          let expectedRevision = 0;
          for (let round = 0; round < 50; round++) {
            const outcomes = await parallel(2, () => store.change(put('a', { expectedRevision })));
            expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'conflict']);
            expectedRevision += 1;
            expect(await store.find('kill_switch', 'a')).toMatchObject({ revision: expectedRevision });
          }
          expect(await trail()).toHaveLength(50);
        },
        PATIENCE,
      );

      it(
        'answers a key it has seen with the first entry, also when many come at once',
        async () => {
          const outcomes = await parallel(20, (i) =>
            store.change(change({ put: record('a', { value: { i } }), idempotencyKey: 'k' })),
          );
          expect(outcomes.filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
          expect(outcomes.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(19);
          const [entry] = await trail();
          expect(outcomes.every((outcome) => 'entry' in outcome && outcome.entry.hash === entry?.hash)).toBe(true);
          // even when the rest differs
          const again = await store.change(put('b', { idempotencyKey: 'k', expectedRevision: 9 }));
          expect(again).toEqual({ outcome: 'replayed', entry });
          expect(await trail()).toEqual([entry]);
          expect(await store.read()).toMatchObject({ revision: 1, records: [{ key: 'a', value: entry?.after }] });
        },
        PATIENCE,
      );

      it('does not remember the key of a change that was refused', async () => {
        await store.change(put('a', { idempotencyKey: 'k', expectedRevision: 5 }));
        expect(await store.change(put('a', { idempotencyKey: 'k' }))).toMatchObject({ outcome: 'changed' });
      });

      it('adds an audit entry without a change of the revision', async () => {
        await store.change(put('a'));
        const noted = await store.change(change({ action: 'admin.refused', idempotencyKey: 'k' }));
        expect(noted).toMatchObject({ outcome: 'changed', entry: { seq: 2, revision: 1, before: null, after: null } });
        expect(await store.change(change({ idempotencyKey: 'k' }))).toMatchObject({ outcome: 'replayed' });
        expect(await store.read(1)).toBeUndefined();
        await store.change(put('b'));
        expect((await trail()).map(({ seq, revision }) => [seq, revision])).toEqual([
          [1, 1],
          [2, 1],
          [3, 2],
        ]);
        expect(brokenLink(NO_AUDIT, await trail())).toBeUndefined();
      });

      it(
        'counts 100 concurrent changes without a gap, in a chain that holds',
        async () => {
          const outcomes = await parallel(100, (i) => store.change(put(`key${i % 10}`, { subject: `${i}` })));
          const entries = await trail();
          expect(seqs(entries)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
          expect(entries.map(({ revision }) => revision)).toEqual(seqs(entries));
          expect(brokenLink(NO_AUDIT, entries)).toBeUndefined();
          const acknowledged = outcomes.map((outcome) => 'entry' in outcome && outcome.entry.seq);
          expect(acknowledged.toSorted((a, b) => Number(a) - Number(b))).toEqual(seqs(entries));
          const state = await store.read();
          expect(state?.revision).toBe(100);
          for (const { key, revision } of state?.records ?? []) {
            const last = entries.findLast(({ after }) => after?.target === key);
            expect(revision).toBe(last?.revision);
          }
        },
        PATIENCE,
      );

      it(
        'shows readers a revision and its records together',
        async () => {
          let isDone = false;
          const read = async () => {
            while (!isDone) {
              const state = await store.read();
              // each change writes its own revision, so the newest record has the revision of the state
              expect(Math.max(0, ...(state?.records ?? []).map(({ revision }) => revision))).toBe(state?.revision);
              await setTimeout(0);
            }
          };
          const readers = parallel(3, read);
          for (let i = 0; i < 60; i++) await store.change(put(`key${i % 7}`));
          isDone = true;
          await readers;
        },
        PATIENCE,
      );
    });

    describe('approvals', () => {
      const ask = (key: string, of: Partial<NewControlRecord> = {}, now = NOW, limits = { perTenant: 3, perUser: 9 }) =>
        store.ask(approval(key, of), now, limits);

      it('are asked for without revision and entry, and are not among what decides for everybody', async () => {
        expect(await ask('a')).toEqual({ ...approval('a'), revision: 0 });
        expect(await store.read(0)).toBeUndefined();
        expect(await trail()).toEqual([]);
        const decided = approval('a', { value: { verdict: 'approved' }, expiresAt: NOW + 2 * HOUR });
        await store.change(change({ action: 'approval.approved', put: decided, expectedRevision: 0 }));
        expect(await store.read()).toEqual({ revision: 1, records: [] });
        expect(await ask('a')).toEqual({ ...decided, revision: 1 });
        expect((await trail())[0]).toMatchObject({ before: { target: 'a' }, after: { verdict: 'approved' } });
      });

      it(
        'are decided once by many who saw them undecided; the others are shown that decision',
        async () => {
          await ask('a');
          const outcomes = await parallel(10, (i) => {
            const decided = approval('a', { value: { actor: `operator ${i}` } });
            return store.change(change({ action: 'approval.approved', put: decided, expectedRevision: 0 }));
          });
          const [made, ...more] = outcomes.filter(({ outcome }) => outcome === 'changed');
          expect(more).toEqual([]);
          const after = made && 'entry' in made ? made.entry.after : undefined;
          const current = { ...approval('a'), value: after, revision: 1 };
          const lost = outcomes.filter((each) => each !== made);
          expect(lost).toEqual(Array<object>(9).fill({ outcome: 'conflict', current }));
          expect([await store.find('approval', 'a'), (await trail()).length]).toEqual([current, 1]);
          const withdrawn = approval('a', { value: { actor: 'olga' } });
          const withdrawal = change({ action: 'approval.refused', put: withdrawn, expectedRevision: 1 });
          expect(await store.change(withdrawal)).toMatchObject({ outcome: 'changed' });
        },
        PATIENCE,
      );

      it(
        'are asked for once, however many ask',
        async () => {
          const asked = await parallel(50, (i) => ask('a', { value: { i } }, NOW, { perTenant: 1, perUser: 1 }));
          expect(new Set(asked.map((approval) => JSON.stringify(approval))).size).toBe(1);
          expect(await store.list('approval', ALL)).toEqual([asked[0]]);
        },
        PATIENCE,
      );

      it(
        'that are undecided are bounded for each tenant',
        async () => {
          const asked = await parallel(20, (i) => ask(`k${i}`));
          expect(asked.filter(Boolean)).toHaveLength(3);
          expect(await ask('other', { tenantId: 'globex' })).toBeDefined();
          const [open] = await store.list('approval', ALL, 'acme');
          await store.change(change({ put: approval(open?.key ?? '') }));
          expect(await ask('next')).toBeDefined();
          expect(await ask('one too many')).toBeUndefined();
        },
        PATIENCE,
      );

      it(
        'that are undecided are bounded for each user of a tenant',
        async () => {
          const wish = (key: string, userId: string, tenantId = 'acme') =>
            ask(key, { value: { userId }, tenantId }, NOW, { perTenant: 9, perUser: 2 });
          const asked = await parallel(10, (i) => wish(`k${i}`, 'ada'));
          expect(asked.filter(Boolean)).toHaveLength(2);
          expect(await wish('bob', 'bob')).toBeDefined();
          expect(await wish('other', 'ada', 'globex')).toBeDefined();
          const [open] = asked.filter((each) => each !== undefined);
          await store.change(change({ put: approval(open?.key ?? '', { value: { userId: 'ada' } }) }));
          expect(await wish('next', 'ada')).toBeDefined();
          expect(await wish('one too many', 'ada')).toBeUndefined();
        },
        PATIENCE,
      );

      it('go when they have expired', async () => {
        await ask('a', { value: { first: true } });
        await ask('b', { expiresAt: 0 });
        await ask('c');
        await store.change(change({ put: approval('c') }));
        await store.change(change({ put: record('switch', { expiresAt: NOW + 1 }) }));
        expect(await ask('a', { value: { first: false } }, NOW + HOUR - 1)).toMatchObject({ value: { first: true } });
        expect(await ask('a', { value: { first: false } }, NOW + HOUR)).toMatchObject({ value: { first: false } });
        expect(keys(await store.list('approval', ALL))).toEqual(['a', 'b']);
        expect(keys((await store.read())?.records)).toEqual(['switch']);
      });
    });

    describe('claims', () => {
      const LIMITS = { perTenant: 9, perUser: 9 };
      const approved = async (key: string) => {
        await store.ask(approval(key), NOW, LIMITS);
        const decided = approval(key, { value: { verdict: 'approved' } });
        const outcome = await store.change(change({ action: 'approval.approved', put: decided, expectedRevision: 0 }));
        return 'entry' in outcome ? outcome.entry.revision : -1;
      };

      it(
        'of one record succeed once, however many there are, and leave no entry',
        async () => {
          const revision = await approved('a');
          await store.ask(approval('b'), NOW, LIMITS);
          const claims = await parallel(200, () => store.claim('approval', 'a', revision, NOW));
          expect(claims.filter(Boolean)).toHaveLength(1);
          expect(keys(await store.list('approval', ALL))).toEqual(['b']);
          expect([await store.claim('approval', 'a', revision, NOW), (await trail()).length]).toEqual([false, 1]);
        },
        PATIENCE,
      );

      it('fail for another revision, an expired record, and one that is not there', async () => {
        const revision = await approved('a');
        expect(await store.claim('approval', 'a', 0, NOW)).toBe(false);
        expect(await store.claim('approval', 'a', revision + 1, NOW)).toBe(false);
        expect(await store.claim('approval', 'a', revision, NOW + HOUR)).toBe(false);
        expect(await store.claim('approval', 'b', 0, NOW)).toBe(false);
        expect(await store.claim('approval', 'a', revision, NOW + HOUR - 1)).toBe(true);
        await store.ask(approval('c', { expiresAt: 0 }), NOW, LIMITS);
        expect(await store.claim('approval', 'c', 0, NOW)).toBe(true);
      });

      it('never remove what operators decide for everybody', async () => {
        await store.change(put('switch'));
        expect(await store.claim('kill_switch', 'switch', 1, NOW)).toBe(false);
        expect(keys((await store.read())?.records)).toEqual(['switch']);
      });

      it('cannot be undone by a decision that has seen the request before', async () => {
        await store.ask(approval('a'), NOW, LIMITS);
        const decided = approval('a', { value: { verdict: 'approved' } });
        expect(await store.claim('approval', 'a', 0, NOW)).toBe(true);
        const late = await store.change(change({ action: 'approval.approved', put: decided, expectedRevision: 0 }));
        expect(late).toEqual({ outcome: 'conflict', current: undefined });
        expect([await store.find('approval', 'a'), (await trail()).length]).toEqual([undefined, 0]);
      });

      it('let the same be asked for again', async () => {
        const revision = await approved('a');
        await store.claim('approval', 'a', revision, NOW);
        expect(await store.ask(approval('a', { value: { again: true } }), NOW, LIMITS)).toMatchObject({
          value: { again: true },
          revision: 0,
        });
      });
    });

    describe('used confirmations', () => {
      const use = (key: string, of: Partial<NewControlRecord> = {}, now = NOW) =>
        store.ask(approval(key, { kind: 'confirmation', ...of }), now, { perTenant: 5, perUser: 5 });

      it(
        'are kept once, however many present one',
        async () => {
          const used = await parallel(50, (i) => use('a', { value: { claim: i } }));
          expect(new Set(used.map((record) => JSON.stringify(record))).size).toBe(1);
          expect(await store.find('confirmation', 'a')).toEqual(used[0]);
        },
        PATIENCE,
      );

      it('have a room of their own beside approvals, and are not among what decides for everybody', async () => {
        await parallel(5, (i) => use(`k${i}`));
        expect(await use('one too many')).toBeUndefined();
        const limits = { perTenant: 1, perUser: 1 };
        expect(await store.ask(approval('a'), NOW, limits)).toEqual({ ...approval('a'), revision: 0 });
        await store.change(put('switch'));
        expect(keys((await store.read())?.records)).toEqual(['switch']);
      });

      it('go when they have expired', async () => {
        await use('a', { value: { claim: 1 } });
        expect(await use('a', { value: { claim: 2 } }, NOW + HOUR)).toMatchObject({ value: { claim: 2 } });
      });
    });

    describe('listing', () => {
      it('pages by key, in the order of its letters’ numbers', async () => {
        for (const key of ['b', 'a', 'B', '_', 'é', 'a:b', 'a b', ''])
          await store.change(put(key, { put: record(key) }));
        await store.change(change({ put: record('c', { kind: 'policy' }) }));
        const listed: string[] = [];
        for (let after: string | undefined; listed.length < 8;) {
          const page = await store.list('kill_switch', { limit: 3, ...(after !== undefined && { after }) });
          expect(page.length).toBe(Math.min(3, 8 - listed.length));
          listed.push(...page.map(({ key }) => key));
          after = listed.at(-1);
        }
        expect(listed).toEqual(['', 'B', '_', 'a', 'a b', 'a:b', 'b', 'é']);
        expect(await store.list('kill_switch', { after: 'é', limit: 3 })).toEqual([]);
      });

      it('names those of one tenant', async () => {
        for (const key of ['a', 'b', 'c', 'd']) {
          await store.change(change({ put: record(key, { tenantId: key < 'c' ? 'acme' : '' }) }));
        }
        expect(keys(await store.list('kill_switch', ALL, 'acme'))).toEqual(['a', 'b']);
        expect(keys(await store.list('kill_switch', ALL, ''))).toEqual(['c', 'd']);
        expect(keys(await store.list('kill_switch', { after: 'a', limit: 5 }, 'acme'))).toEqual(['b']);
      });
    });

    describe('the audit trail', () => {
      beforeEach(async () => {
        const actions = [
          'kill_switch.engaged',
          'kill_switch.released',
          'kill_switchboard.x',
          'policy.put',
          'KILL_SWITCH.x',
        ];
        for (let i = 0; i < 10; i++) {
          const tenantId = i % 2 ? 'acme' : '';
          await store.change(change({ action: actions[i % 5]!, actor: i < 5 ? 'ada' : 'bob', tenantId, at: NOW + i }));
        }
      });

      it('is filtered', async () => {
        const found = async (filter: Parameters<ControlStore['audit']>[0]) => {
          const entries = await store.audit(filter, ALL);
          expect(await store.newestAudit(filter, ALL)).toEqual(entries.toReversed());
          return seqs(entries);
        };
        expect(await found({})).toHaveLength(10);
        expect(await found({ tenantId: 'acme' })).toEqual([2, 4, 6, 8, 10]);
        expect(await found({ tenantId: '' })).toEqual([1, 3, 5, 7, 9]);
        expect(await found({ actor: 'bob' })).toEqual([6, 7, 8, 9, 10]);
        expect(await found({ action: 'kill_switch.released' })).toEqual([2, 7]);
        expect(await found({ action: 'kill_switch.' })).toEqual([1, 2, 6, 7]);
        expect(await found({ action: 'kill_switch' })).toEqual([]);
        expect(await found({ action: '%.' })).toEqual([]);
        expect(await found({ since: NOW + 3, until: NOW + 6 })).toEqual([4, 5, 6]);
        expect(await found({ actor: 'ada', action: 'kill_switch.', tenantId: 'acme', since: NOW })).toEqual([2]);
      });

      it('is read page by page in both directions', async () => {
        expect(seqs(await store.audit({}, { limit: 4 }))).toEqual([1, 2, 3, 4]);
        expect(seqs(await store.audit({}, { after: 4, limit: 4 }))).toEqual([5, 6, 7, 8]);
        expect(seqs(await store.audit({}, { after: 8, limit: 4 }))).toEqual([9, 10]);
        expect(seqs(await store.newestAudit({}, { limit: 4 }))).toEqual([10, 9, 8, 7]);
        expect(seqs(await store.newestAudit({}, { after: 7, limit: 4 }))).toEqual([6, 5, 4, 3]);
        expect(seqs(await store.newestAudit({}, { after: 1, limit: 4 }))).toEqual([]);
        expect(seqs(await store.newestAudit({ tenantId: 'acme' }, { after: 8, limit: 2 }))).toEqual([6, 4]);
      });

      it('has a head that names its last entry', async () => {
        const { seq, revision, hash } = (await trail()).at(-1)!;
        expect(await store.head()).toEqual({ seq, revision, hash });
      });

      it('shows what was changed, taken out or put between', async () => {
        const entries = await trail();
        const [first, second, third] = entries as [AuditEntry, AuditEntry, AuditEntry];
        expect(brokenLink(NO_AUDIT, entries)).toBeUndefined();
        expect(brokenLink(second, entries.slice(2))).toBeUndefined();
        expect(brokenLink(NO_AUDIT, [first, { ...second, reason: 'none' }, third])).toMatchObject({ seq: 2 });
        expect(brokenLink(NO_AUDIT, [first, third])).toMatchObject({ seq: 2 });
        expect(brokenLink(NO_AUDIT, entries.slice(1))).toMatchObject({ seq: 1 });
      });
    });

    describe('instances', () => {
      it('learn the clock of the store, which does not go back', async () => {
        const before = await store.beat('one', 1);
        const after = await store.beat('two', 1);
        expect([Number.isSafeInteger(before), after >= before, before > Date.UTC(2020)]).toEqual([true, true, true]);
      });

      it('are those with a recent heartbeat, with its revision', async () => {
        expect(await store.instances(HOUR)).toEqual([]);
        await store.beat('one', 3);
        await store.beat('two', 4);
        await store.beat('one', 5);
        const instances = (await store.instances(HOUR)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(instances.map(({ id, appliedRevision }) => [id, appliedRevision])).toEqual([
          ['one', 5],
          ['two', 4],
        ]);
        for (const { silentMs } of instances) expect(silentMs).toBeGreaterThanOrEqual(0);
        for (const { silentMs } of instances) expect(silentMs).toBeLessThan(HOUR);
        await store.leave('one');
        await store.leave('never seen');
        expect((await store.instances(HOUR)).map(({ id }) => id)).toEqual(['two']);
      });

      it('are not those that have fallen silent', async () => {
        await store.beat('one', 1);
        await setTimeout(40);
        const [silent] = await store.instances(HOUR);
        expect(silent?.silentMs).toBeGreaterThanOrEqual(30);
        expect(await store.instances(20)).toEqual([]);
        await store.beat('one', 2);
        expect(await store.instances(HOUR)).toMatchObject([{ id: 'one', appliedRevision: 2 }]);
      });
    });
  });
}
