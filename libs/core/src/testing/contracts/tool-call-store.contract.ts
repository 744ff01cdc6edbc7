/// <reference types="jest" />
import { type CallFilter, type CallRecord, idFrom } from '../../toolbox/record/call-record.js';
import type { ToolCallStore } from '../../toolbox/record/tool-call-store.js';

const HOUR = 3_600_000;
const START = 1_795_000_000_000 - (1_795_000_000_000 % HOUR);

let made = 0;

/** A record that began `at` milliseconds after the start of an hour. */
function recordAt(at: number, of: Partial<CallRecord> = {}): CallRecord {
  made += 1;
  return {
    id: `${idFrom(START + at).slice(0, 12)}${made.toString(16).padStart(4, '0')}0123456789abcdef`,
    at: START + at,
    kind: 'call',
    tenantId: 'acme',
    userId: 'ada',
    sessionId: 's1',
    runId: 'r1',
    agentIds: ['helper', 'boss'],
    step: 2,
    callId: `call-${made}`,
    tool: 'crm.find',
    definitionHash: 'f00d',
    decision: 'allow',
    layer: 'approval',
    rule: 'default',
    reason: 'no rule refuses it',
    outcome: 'ok',
    controlRevision: 7,
    catalogRevision: 3,
    policyHash: 'abc',
    narrowed: false,
    ms: 1.125,
    argumentBytes: 17,
    resultBytes: 9_000_000_000,
    cached: false,
    tools: [],
    toolCount: 0,
    ...of,
  };
}

/**
 * The contract of {@link ToolCallStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeToolCallStore(
  name: string,
  make: () => Promise<{ store: ToolCallStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as a ToolCallStore`, () => {
    let store: ToolCallStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());
    it('groups calls by span, tenant, first part of the name, decision, outcome and speed', async () => {
      const refused = { decision: 'deny', layer: 'policy', outcome: 'TOOL_NOT_AVAILABLE' } as const;
      await store.add([
        recordAt(1, { ms: 0.4, tool: 'crm.find' }),
        recordAt(2, { ms: 1, tool: 'crm.people.find' }),
        recordAt(3, { ms: 1.001, tool: 'crm.find' }),
        recordAt(4, { ms: 90_000, tool: 'undotted' }),
        recordAt(5, { ...refused, tenantId: 'globex', ms: 0 }),
        recordAt(HOUR + 6, { ms: 700 }),
        recordAt(7, { kind: 'shown' }),
      ]);
      const groups = await store.groups({}, HOUR);
      const ran = { tenantId: 'acme', layer: 'approval', decision: 'allow', outcome: 'ok' };
      expect(groups).toHaveLength(5);
      expect(groups).toEqual(
        expect.arrayContaining([
          { ...ran, from: START, prefix: 'crm', speed: 0, calls: 2 },
          { ...ran, from: START, prefix: 'crm', speed: 1, calls: 1 },
          { ...ran, from: START, prefix: 'undotted', speed: 15, calls: 1 },
          { ...refused, tenantId: 'globex', from: START, prefix: 'crm', speed: 0, calls: 1 },
          { ...ran, from: START + HOUR, prefix: 'crm', speed: 9, calls: 1 },
        ]),
      );
      expect(groups.at(-1)).toMatchObject({ from: START + HOUR });
      expect(await store.groups({ tenantId: 'globex', since: START, until: START + 6 }, 60_000)).toMatchObject([
        { tenantId: 'globex', from: START, calls: 1 },
      ]);
      expect(await store.groups({ until: START }, HOUR)).toEqual([]);
    });

    const idsOf = async (filter: CallFilter) => (await store.list(filter, { limit: 100 })).map(({ id }) => id);

    it('is empty before anything is added', async () => {
      await store.add([]);
      expect(await store.list({}, { limit: 10 })).toEqual([]);
      expect(await store.sums({})).toEqual([]);
      expect(await store.sweep({ before: START, keep: 0 }, 10)).toBe(0);
      expect(await store.erase({ tenantId: 'acme' }, 10)).toBe(0);
    });

    it('gives back every member, and content only where there is some', async () => {
      const plain = recordAt(1);
      const full = recordAt(2, {
        kind: 'shown',
        agentIds: [],
        userId: '',
        decision: 'deny',
        layer: 'kill_switch',
        outcome: 'TOOL_NOT_AVAILABLE',
        narrowed: true,
        cached: true,
        tools: ['crm.find', 'ü'],
        toolCount: 300,
        toolTokens: [120, 9_000_000_000],
        resultTokens: 5_000_000_000,
        arguments: '{"a":"[email]"}',
        result: 'two\nlines',
      });
      await store.add([plain, full]);
      expect(await store.list({}, { limit: 10, oldestFirst: true })).toEqual([plain, full]);
    });

    it('adds a record once, however often it is written, also by many at the same moment', async () => {
      const records = Array.from({ length: 250 }, (_, index) => recordAt(index));
      await Promise.all([store.add(records), store.add(records.slice(100)), store.add(records.toReversed())]);
      const found = await store.list({}, { limit: 300, oldestFirst: true });
      expect(found.map(({ id }) => id)).toEqual(records.map(({ id }) => id).sort());
    });

    it('pages in both directions, without a gap and without a repetition', async () => {
      const records = Array.from({ length: 23 }, (_, index) => recordAt(index % 5));
      await store.add(records);
      const sorted = records.map(({ id }) => id).sort();
      for (const oldestFirst of [true, false]) {
        const seen: string[] = [];
        let after: string | undefined;
        do {
          const page = await store.list({}, { limit: 4, oldestFirst, ...(after !== undefined && { after }) });
          seen.push(...page.map(({ id }) => id));
          after = page.length === 4 ? page.at(-1)?.id : undefined;
        } while (after !== undefined);
        expect(seen).toEqual(oldestFirst ? sorted : sorted.toReversed());
      }
    });

    it('filters by each member, and by several', async () => {
      const others: Partial<CallRecord>[] = [
        { kind: 'searched' },
        { tenantId: 'globex' },
        { userId: '' },
        { sessionId: 's2' },
        { runId: 'r2' },
        { tool: 'crm.delete' },
        { outcome: 'TOOL_FAILED' },
        { layer: 'limit' },
      ];
      const records = others.map((other, index) => recordAt(index, other));
      await store.add(records);
      for (const [index, other] of others.entries()) {
        expect(await idsOf(other as CallFilter)).toEqual([records[index]?.id]);
      }
      expect(await idsOf({ tenantId: 'acme', layer: 'limit', kind: 'call' })).toEqual([records[7]?.id]);
      expect(await idsOf({ tenantId: 'globex', layer: 'limit' })).toEqual([]);
      expect(await idsOf({ since: START + 6, until: START + 7 })).toEqual([records[6]?.id]);
      expect(await idsOf({ since: START + 6 })).toEqual([records[7]?.id, records[6]?.id]);
    });

    it('counts calls by hour, layer, decision and outcome', async () => {
      const refused = { decision: 'deny', layer: 'policy', outcome: 'TOOL_NOT_AVAILABLE' } as const;
      await store.add([
        recordAt(0),
        recordAt(HOUR - 1),
        recordAt(HOUR),
        recordAt(HOUR + 1, refused),
        recordAt(HOUR + 2, { kind: 'searched' }),
        recordAt(HOUR + 3, { tenantId: 'globex' }),
      ]);
      const passed = { layer: 'approval', decision: 'allow', outcome: 'ok' };
      const sums = await store.sums({ tenantId: 'acme' });
      expect(sums[0]).toEqual({ ...passed, hour: START, calls: 2 });
      expect(sums).toHaveLength(3);
      expect(sums).toContainEqual({ ...passed, hour: START + HOUR, calls: 1 });
      expect(sums).toContainEqual({ ...refused, hour: START + HOUR, calls: 1 });
      expect(await store.sums({ since: START + HOUR, layer: 'policy' })).toEqual([
        { ...refused, hour: START + HOUR, calls: 1 },
      ]);
    });

    it('removes what is too old, the oldest first and no more than a batch', async () => {
      const records = [0, 1, 2, 3, 4].map((at) => recordAt(at));
      await store.add(records);
      const swept = () => store.sweep({ before: START + 3, keep: 100 }, 2);
      expect([await swept(), await swept(), await swept()]).toEqual([2, 1, 0]);
      expect(await idsOf({})).toEqual([records[4]?.id, records[3]?.id]);
    });

    it('keeps the newest, whichever tenant they are of', async () => {
      const records = [0, 1, 2, 3, 4].map((at) => recordAt(at, { tenantId: `t${at % 2}` }));
      await store.add(records);
      const swept = () => store.sweep({ before: 0, keep: 2 }, 2);
      expect([await swept(), await swept(), await swept()]).toEqual([2, 1, 0]);
      expect(await idsOf({})).toEqual([records[4]?.id, records[3]?.id]);
    });

    it('erases a user of one tenant, and a tenant, in batches', async () => {
      await store.add([
        recordAt(0),
        recordAt(1),
        recordAt(2),
        recordAt(3, { userId: 'bob' }),
        recordAt(4, { tenantId: 'globex' }),
      ]);
      const ada = { tenantId: 'acme', userId: 'ada' };
      expect([await store.erase(ada, 2), await store.erase(ada, 2), await store.erase(ada, 2)]).toEqual([2, 1, 0]);
      expect((await store.list({}, { limit: 10 })).map(({ userId }) => userId)).toEqual(['ada', 'bob']);
      expect(await store.erase({ tenantId: 'acme' }, 10)).toBe(1);
      expect((await store.list({}, { limit: 10 })).map(({ tenantId }) => tenantId)).toEqual(['globex']);
    });
  });
}
