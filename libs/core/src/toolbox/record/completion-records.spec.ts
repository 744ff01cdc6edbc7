import type { CallRecord } from './call-record.js';
import { CompletionRecords } from './completion-records.js';

const record = (tool: string, userId = 'ada', rest: Partial<CallRecord> = {}) =>
  ({ tenantId: 'acme', userId, tool, outcome: 'ok', reason: 'allowed', ms: 1, ...rest }) as CallRecord;

describe('CompletionRecords', () => {
  let written: CallRecord[];
  let records: CompletionRecords;
  let now = 0;
  const counts = () => written.map(({ tool, toolCount }) => [tool, toolCount]);
  beforeEach(() => {
    jest.useFakeTimers();
    now = 60_000;
    written = [];
    records = new CompletionRecords((one) => written.push(one));
    records.start(() => now);
  });
  afterEach(() => {
    records.stop();
    jest.useRealTimers();
  });

  it('writes what a user asked for of an item once, when the minute is over', () => {
    for (let n = 0; n < 500; n++) records.add(record(n % 2 === 0 ? 'a' : 'b'), now);
    jest.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
    now += 60_000;
    jest.advanceTimersByTime(60_000);
    expect(counts()).toEqual([
      ['a', 250],
      ['b', 250],
    ]);
    records.add(record('a'), now);
    records.add(record('a'), now + 60_000);
    expect(counts().slice(2)).toEqual([['a', 1]]);
  });

  it('keeps when it began, and the last refusal with how many there were', () => {
    const refused = { outcome: 'LIMIT_REACHED', layer: 'limit', reason: 'it is reached' } as const;
    records.add(record('a', 'ada', { id: '1', at: 1, sessionId: 's' }), now);
    records.add(record('a', 'ada', { ...refused, id: '2', at: 2, sessionId: 't' }), now);
    records.add(record('a', 'ada', { ...refused, id: '3', at: 3 }), now);
    records.add(record('a', 'ada', { id: '4', at: 4 }), now);
    records.end();
    const reason = '2 of 4 refused: it is reached';
    expect(written).toMatchObject([{ id: '1', at: 1, sessionId: 's', ...refused, reason, toolCount: 4, ms: 4 }]);
  });

  it('holds at most 10,000 of them', () => {
    for (let n = 0; n < 25_000; n++) records.add(record('a', `user-${n}`), now);
    expect(written).toHaveLength(20_000);
  });

  it('writes all when it stops, and what comes later at once', () => {
    records.add(record('a'), now);
    records.stop();
    records.add(record('a'), now);
    expect(counts()).toEqual([
      ['a', 1],
      ['a', 1],
    ]);
  });
});
