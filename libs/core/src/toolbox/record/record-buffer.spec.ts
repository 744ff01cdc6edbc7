import { idFrom, type CallRecord } from './call-record.js';
import { RecordBuffer } from './record-buffer.js';

let made = 0;

function recordOf(of: Partial<CallRecord>): CallRecord {
  const at = 1_795_000_000_000 + made++;
  return {
    id: `${idFrom(at).slice(0, 12)}${made.toString(16).padStart(20, '0')}`,
    at,
    kind: 'call',
    tenantId: 'acme',
    userId: 'ada',
    sessionId: '',
    runId: '',
    agentIds: [],
    step: 1,
    callId: 'c1',
    tool: 'crm.find',
    definitionHash: 'f00d',
    decision: 'allow',
    layer: 'approval',
    rule: '',
    reason: '',
    outcome: 'ok',
    controlRevision: 1,
    catalogRevision: 1,
    policyHash: '',
    narrowed: false,
    ms: 1,
    argumentBytes: 1,
    resultBytes: 1,
    cached: false,
    tools: [],
    toolCount: 0,
    ...of,
  };
}

function buffer(add: (records: readonly CallRecord[]) => Promise<void>) {
  const lost: number[] = [];
  const rules = { store: { add }, onFault: () => undefined, onWritten: () => undefined };
  return { lost, records: new RecordBuffer({ ...rules, onLost: (count) => void lost.push(count) }) };
}

describe('RecordBuffer', () => {
  it('writes texts that databases take: without NUL, and ids of calls of at most 256 characters', async () => {
    const written: CallRecord[] = [];
    const { records } = buffer(async (batch) => void written.push(...batch));
    records.push(recordOf({ callId: `a\0${'b'.repeat(1000)}`, reason: 'x\0y', result: 'z\0' }));
    await records.flush();
    expect(written).toMatchObject([{ callId: `a\ufffd${'b'.repeat(254)}`, reason: 'x\ufffdy', result: 'z\ufffd' }]);
  });

  it('loses the newest records of the tenant with the most while the store is down', async () => {
    const written: CallRecord[] = [];
    const { records, lost } = buffer(async (batch) => void written.push(...batch));
    for (let n = 0; n < 12_000; n += 1) records.push(recordOf({ tenantId: 'acme', step: n }));
    for (let n = 0; n < 100; n += 1) records.push(recordOf({ tenantId: 'globex', step: n }));
    for (let n = 0; n < 50; n += 1) records.push(recordOf({ tenantId: 'acme', step: 20_000 + n }));
    await records.stop();
    const steps = (tenant: string) => written.filter(({ tenantId }) => tenantId === tenant).map(({ step }) => step);
    expect(steps('globex')).toEqual([...Array(100).keys()]);
    expect(steps('acme')).toEqual([...Array(9_900).keys()]);
    expect(lost).toEqual([2_150]);
  });

  it('ends a flush although records arrive as fast as they are written', async () => {
    let writes = 0;
    const { records } = buffer(async () => {
      writes += 1;
      records.push(recordOf({}));
    });
    records.push(recordOf({}));
    await records.flush();
    expect(writes).toBe(1);
  });

  it('tries twice when it stops, and reports what the store did not take', async () => {
    let writes = 0;
    const { records, lost } = buffer(async () => {
      writes += 1;
      throw new Error('the disk is full');
    });
    records.push(recordOf({}));
    records.push(recordOf({}));
    await records.stop();
    expect([writes, lost]).toEqual([2, [2]]);
  });

  it('does not write discarded records, also after a failed write', async () => {
    const written: CallRecord[] = [];
    let isDown = true;
    const { records } = buffer(async (batch) => {
      if (isDown) throw new Error('the disk is full');
      written.push(...batch);
    });
    records.push(recordOf({ userId: 'ada' }));
    records.push(recordOf({ userId: 'bob' }));
    await records.flush();
    records.discard(({ userId }) => userId === 'ada');
    isDown = false;
    await records.flush();
    expect(written.map(({ userId }) => userId)).toEqual(['bob']);
  });
});
