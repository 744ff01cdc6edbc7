import fc from 'fast-check';
import { idFrom, type CallRecord } from './call-record.js';
import { MemoryToolCallStore } from './memory-tool-call-store.js';
import { tokenCosts } from './token-costs.js';

const CALL = { kind: 'call', tenantId: 'acme', tool: 'crm.find', tools: [] } as const;
const recordOf = (at: number, of: Partial<CallRecord>) => ({ ...CALL, ...of, id: idFrom(at), at }) as CallRecord;

async function storeOf(records: readonly Partial<CallRecord>[]) {
  const store = new MemoryToolCallStore();
  await store.add(records.map((of, index) => recordOf(index + 1, of)));
  return store;
}

const FIND = { tool: 'crm.find', resultTokens: 30 };
const shown = (tools: readonly string[], toolTokens: readonly number[]) =>
  ({ kind: 'shown', tool: '', tools, toolTokens }) as const;

describe('costs in tokens', () => {
  it('adds definitions and results of each tenant and tool, the dearest first', async () => {
    const store = await storeOf([
      shown(['crm.find', 'crm.delete'], [10, 200]),
      shown(['crm.find'], [10]),
      FIND,
      { ...FIND, tenantId: 'globex', resultTokens: 7 },
    ]);
    const { items, ...totals } = await tokenCosts(store, {});
    expect(items).toEqual([
      { tenantId: 'acme', tool: 'crm.delete', shown: 1, definitionTokens: 200, calls: 0, resultTokens: 0 },
      { tenantId: 'acme', tool: 'crm.find', shown: 2, definitionTokens: 20, calls: 1, resultTokens: 30 },
      { tenantId: 'globex', tool: 'crm.find', shown: 0, definitionTokens: 0, calls: 1, resultTokens: 7 },
    ]);
    expect(totals).toEqual({
      groups: 3,
      definitionTokens: 220,
      resultTokens: 37,
      records: 4,
      isComplete: true,
      oldest: 1,
    });
  });

  it('ignores refused calls, searches and records of earlier versions', async () => {
    const store = await storeOf([
      {},
      { kind: 'shown', tools: ['crm.find'] },
      { kind: 'searched', tools: ['crm.find'] },
    ]);
    expect(await tokenCosts(store, {})).toMatchObject({ items: [], groups: 0, records: 3, isComplete: true });
  });

  it('reads the newest records only, and says so', async () => {
    const store = await storeOf(Array.from({ length: 450 }, () => FIND));
    expect(await tokenCosts(store, { records: 250 })).toMatchObject({
      items: [{ calls: 250 }],
      records: 250,
      isComplete: false,
      oldest: 201,
    });
    expect(await tokenCosts(store, { until: 101, limit: 0 })).toMatchObject({ items: [{ calls: 100 }], oldest: 1 });
    expect(await tokenCosts(await storeOf([]), {})).toEqual({
      items: [],
      groups: 0,
      definitionTokens: 0,
      resultTokens: 0,
      records: 0,
      isComplete: true,
    });
  });

  it('has the same sum however it is grouped', async () => {
    const name = fc.constantFrom('a.b', 'a.c', '__proto__');
    const record = fc.record({ tenantId: fc.constantFrom('acme', 'globex'), tool: name, resultTokens: fc.nat(1000) });
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (calls) => {
        const store = await storeOf(calls);
        const sums = (['tenant_and_tool', 'tool', 'tenant'] as const).map(async (by) => {
          const { items, resultTokens } = await tokenCosts(store, { by });
          return [resultTokens, items.reduce((sum, each) => sum + each.resultTokens, 0)];
        });
        const all = calls.reduce((sum, { resultTokens }) => sum + resultTokens, 0);
        expect(await Promise.all(sums)).toEqual([
          [all, all],
          [all, all],
          [all, all],
        ]);
      }),
    );
  });
});
