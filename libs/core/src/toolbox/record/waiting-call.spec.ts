import type { Approval } from '../../access/approvals/approval.js';
import { FakeSource, openToolbox } from '../../testing/index.js';
import { waitingCall } from './waiting-call.js';

const redactor = {
  redact: async (texts: readonly { text: string }[]) => texts.map(({ text }) => text.replace(/s3cret/g, '[secret]')),
};

async function started(options: NonNullable<Parameters<typeof openToolbox>[0]>['options'] = {}) {
  const world = await openToolbox({
    sources: [new FakeSource('crm', [{ name: 'delete' }, { name: 'merge' }])],
    policy: { approval: [{ tools: 'crm.*', scope: 'session' }] },
    context: { tenantId: 'acme', userId: 'ada', sessionId: 's1' },
    options: { redaction: { redactor }, record: { arguments: ['crm.delete'], maxChars: 60 }, ...options },
  });
  const approvalOf = async (tool: string, sessionId = 's1') => {
    const all = await world.approvals.list({ limit: 100 });
    return all.find((each) => each.tool === tool && each.scopeId === sessionId) as Approval;
  };
  const waiting = async (tool: string, sessionId?: string) =>
    waitingCall(world.records, await approvalOf(tool, sessionId));
  return { ...world, approvalOf, waiting };
}

describe('the call that waits for an approval', () => {
  it('has its redacted arguments, and the newest call of the session counts', async () => {
    const { toolbox, waiting, close } = await started();
    expect(await toolbox.call('crm.delete', { id: 1 })).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await waiting('crm.delete')).toMatchObject({ argumentBytes: 8, arguments: '{"id":1}' });
    expect(await toolbox.call('crm.delete', { token: 's3cret' })).toMatchObject({ code: 'APPROVAL_PENDING' });
    expect(await waiting('crm.delete')).toMatchObject({ arguments: '{"token":"[secret]"}' });
    await close();
  });

  it('is that of the same user, session and definition', async () => {
    const { open, approvalOf, waiting, records, close } = await started();
    await open({ sessionId: 's1' }).call('crm.delete', { id: 1 });
    await open({ sessionId: 's2' }).call('crm.delete', { id: 2 });
    await open({ userId: 'eve', sessionId: 's3' }).call('crm.delete', { id: 3 });
    expect(await waiting('crm.delete', 's1')).toMatchObject({ arguments: '{"id":1}' });
    expect(await waiting('crm.delete', 's2')).toMatchObject({ arguments: '{"id":2}' });
    const approval = await approvalOf('crm.delete', 's1');
    for (const other of [{ hash: 'another' }, { userId: 'eve' }, { tenantId: 'globex' }, { scope: 'run' as const }]) {
      expect(await waitingCall(records, { ...approval, ...other })).toBeUndefined();
    }
    await close();
  });

  it('has no arguments that are too long, of another tool, or unusable; the caller hears of the approval', async () => {
    const { toolbox, records, waiting, close } = await started();
    await toolbox.call('crm.delete', { note: 'x'.repeat(60) });
    expect(await waiting('crm.delete')).toEqual({ id: expect.any(String), at: expect.any(Number), argumentBytes: 71 });
    await toolbox.call('crm.merge', { token: 's3cret' });
    expect(await waiting('crm.merge')).not.toHaveProperty('arguments');
    expect(['crm.delete', 'crm.merge'].map((tool) => records.recordsArguments(tool))).toEqual([true, false]);
    expect(await toolbox.call('crm.merge', 'no object')).toMatchObject({ code: 'APPROVAL_PENDING' });
    await close();
  });

  it('has none after a refusal, or if the tool was only loaded', async () => {
    const { toolbox, approvals, approvalOf, records, waiting, close } = await started();
    await toolbox.activate(['crm.delete']).catch(() => undefined);
    expect(await waiting('crm.delete')).toBeUndefined();
    await approvals.refuse((await approvalOf('crm.delete')).id, { actor: 'olga', reason: 'no' });
    expect(await toolbox.call('crm.delete', { id: 1 })).toMatchObject({ code: 'APPROVAL_REFUSED' });
    expect((await records.list({ kind: 'call' }, { limit: 1 }))[0]).not.toHaveProperty('arguments');
    await close();
  });

  it('is not recorded without the record, and no arguments without a redactor', async () => {
    const off = await started({ record: false });
    expect(off.records.recordsArguments('crm.delete')).toBe(false);
    await off.close();
    const bare = await started({ redaction: undefined, record: {} });
    await bare.toolbox.call('crm.delete', { id: 1 });
    expect(await bare.waiting('crm.delete')).not.toHaveProperty('arguments');
    expect(bare.records.recordsArguments('crm.delete')).toBe(false);
    await bare.close();
  });
});
