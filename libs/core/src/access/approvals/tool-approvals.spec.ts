import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ControlPlane } from '../control/control-plane.js';
import { MemoryControlStore } from '../control/memory-control-store.js';
import { withDefaults } from '../../options/options.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';
import { type ApprovalOptions, approvalSchema, type ApprovalTuning, ToolApprovals } from './tool-approvals.js';
import type { ApprovalScope } from './approval-wish.js';

const TOOL = fakeTool({ name: 'crm.delete' });
const ADA = { tenantId: 'acme', userId: 'ada', runId: 'r1' };
const RUN: ApprovalScope = { scope: 'run', scopeId: 'r1', ephemeral: false };
const PAUL = { actor: 'paul', reason: 'checked with Ada' };
const HOUR = 3_600_000;

async function start(options: ApprovalOptions & ApprovalTuning = {}) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, CONTROL_KINDS, events);
  await plane.refresh();
  const clock = { now: 1_000_000 };
  const approvals = new ToolApprovals(plane, events, withDefaults(approvalSchema, options), () => clock.now);
  const codeOf = async (tool = TOOL, context: { tenantId: string; userId?: string } = ADA, scope = RUN) =>
    (await approvals.missing(tool, 'approval:crm.*', context, scope))?.code;
  const idOf = async () => (await approvals.list({ limit: 100 }))[0]!.id;
  const told = () => happened.map(({ type }) => type).filter((type) => type.startsWith('approval'));
  return { approvals, clock, codeOf, idOf, told, store };
}

describe('a tool that needs an approval', () => {
  it('is asked for, waits, and may be called once a second person has approved, for a time', async () => {
    const { approvals, clock, codeOf, idOf, told, store } = await start();
    expect([await codeOf(), await codeOf()]).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);
    const approved = await approvals.approve(await idOf(), PAUL);
    expect(approved).toMatchObject({ status: 'approved', actor: 'paul', expiresAt: clock.now + HOUR, revision: 1 });
    expect(await codeOf()).toBeUndefined();
    clock.now += HOUR - 1;
    expect(await codeOf()).toBeUndefined();
    clock.now += 1;
    expect(await codeOf()).toBe('APPROVAL_REQUIRED');
    expect(told()).toEqual(['approval.asked', 'approval.approved', 'approval.asked']);
    expect(await store.audit({}, { limit: 9 })).toMatchObject([
      { action: 'approval.approved', tenantId: 'acme', ...PAUL },
    ]);
  });

  it('that is refused stays refused until the refusal is forgotten, or another decision replaces it', async () => {
    const { approvals, clock, codeOf, idOf } = await start({ askedForMs: HOUR });
    await codeOf();
    const refused = await approvals.refuse(await idOf(), PAUL);
    expect(await codeOf()).toBe('APPROVAL_REFUSED');
    const approved = await approvals.approve(await idOf(), { ...PAUL, expectedRevision: refused.revision });
    expect(await codeOf()).toBeUndefined();
    await approvals.refuse(await idOf(), { ...PAUL, expectedRevision: approved.revision });
    expect(await codeOf()).toBe('APPROVAL_REFUSED');
    clock.now += HOUR;
    expect(await codeOf()).toBe('APPROVAL_REQUIRED');
  });

  it('is approved for one definition, user, tenant and scope alone', async () => {
    const { approvals, codeOf, idOf } = await start();
    await codeOf();
    await approvals.approve(await idOf(), PAUL);
    expect(await codeOf()).toBeUndefined();
    for (const work of [
      codeOf(fakeTool({ name: 'crm.delete', description: 'Deletes more than before.' })),
      codeOf(fakeTool({ name: 'crm.remove' })),
      codeOf(TOOL, { ...ADA, userId: 'eve' }),
      codeOf(TOOL, { ...ADA, tenantId: 'globex' }),
      codeOf(TOOL, { tenantId: 'acme' }),
      codeOf(TOOL, ADA, { ...RUN, scopeId: 'r2' }),
      codeOf(TOOL, ADA, { ...RUN, scope: 'session' }),
    ]) {
      expect(await work).toBe('APPROVAL_REQUIRED');
    }
  });

  it('is never approved by its requester, in any spelling of the name', async () => {
    const { approvals, codeOf, idOf } = await start();
    await codeOf();
    for (const actor of ['ada', ' ada', 'ada\u00a0']) {
      await expect(approvals.approve(await idOf(), { ...PAUL, actor })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await codeOf()).toBe('APPROVAL_PENDING');
    // The requesting user may refuse their own request.
    await approvals.refuse(await idOf(), { ...PAUL, actor: 'ada' });
    expect(await codeOf()).toBe('APPROVAL_REFUSED');
  });

  it('is never approved by the user who asked, though the actor is named otherwise', async () => {
    const { approvals, codeOf, idOf } = await start();
    await codeOf();
    const approve = async (by: { tenantId: string; userId: string }) =>
      approvals.approve(await idOf(), { ...PAUL, actor: `${by.userId}@${by.tenantId}`, by });
    for (const userId of ['ada', ' ada', 'Ada', 'ADA', 'ａda']) {
      await expect(approve({ tenantId: 'acme', userId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await codeOf()).toBe('APPROVAL_PENDING');
    // Another user of the same name, in another tenant.
    await approve({ tenantId: 'ops', userId: 'ada' });
    expect(await codeOf()).toBeUndefined();
  });

  it('cannot be approved if the context names no user, but can be refused', async () => {
    const { approvals, codeOf, idOf } = await start();
    const nobody = { tenantId: 'acme' };
    await codeOf(TOOL, nobody);
    await expect(approvals.approve(await idOf(), PAUL)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('userId'),
    });
    expect(await codeOf(TOOL, nobody)).toBe('APPROVAL_PENDING');
    await approvals.refuse(await idOf(), PAUL);
    expect(await codeOf(TOOL, nobody)).toBe('APPROVAL_REFUSED');
  });

  it('leaves a line in the trail that its session cannot forge', async () => {
    const { approvals, codeOf, idOf, store } = await start();
    await codeOf(TOOL, ADA, { ...RUN, scopeId: 'r\u202e1' });
    await approvals.approve(await idOf(), PAUL);
    expect(await store.audit({}, { limit: 9 })).toMatchObject([{ subject: 'crm.delete for run r\ufffd1' }]);
  });

  it('needs a session or run that can be named again', async () => {
    const { codeOf, approvals } = await start();
    expect(await codeOf(TOOL, ADA, { ...RUN, ephemeral: true })).toBe('SESSION_REQUIRED');
    expect(await approvals.list({ limit: 9 })).toEqual([]);
  });

  it('is one request for 20 simultaneous first calls, with one event', async () => {
    const { approvals, codeOf, told } = await start();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf()));
    expect(codes.filter((code) => code === 'APPROVAL_REQUIRED')).toHaveLength(1);
    expect(codes.filter((code) => code === 'APPROVAL_PENDING')).toHaveLength(19);
    expect([(await approvals.list({ limit: 100 })).length, told()]).toEqual([1, ['approval.asked']]);
  });

  it('cannot be wished for without end; other tenants keep their room', async () => {
    const { codeOf } = await start({ maxOpen: 3 });
    const wish = (index: number, tenantId = 'acme') =>
      codeOf(TOOL, { ...ADA, tenantId }, { ...RUN, scopeId: `r${index}` });
    expect(await Promise.all([1, 2, 3, 4].map((index) => wish(index)))).toEqual([
      ...Array<string>(3).fill('APPROVAL_REQUIRED'),
      'RATE_LIMITED',
    ]);
    expect(await wish(4, 'globex')).toBe('APPROVAL_REQUIRED');
  });

  it('cannot be wished for by one user in place of all others', async () => {
    const { codeOf } = await start();
    const wish = (index: number, userId = 'ada') => codeOf(TOOL, { ...ADA, userId }, { ...RUN, scopeId: `r${index}` });
    for (let index = 0; index < 20; index++) expect(await wish(index)).toBe('APPROVAL_REQUIRED');
    expect([await wish(20), await wish(20, 'bob')]).toEqual(['RATE_LIMITED', 'APPROVAL_REQUIRED']);
  });
});

describe('who decides', () => {
  it('must know a wish that has not expired', async () => {
    const { approvals, clock, codeOf, idOf } = await start({ askedForMs: HOUR });
    await expect(approvals.approve('ap_none', PAUL)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await codeOf();
    clock.now += HOUR;
    await expect(approvals.approve(await idOf(), PAUL)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([0, -1, 1.5, Number.NaN, 604_800_001])('cannot approve for %p ms', async (forMs) => {
    const { approvals, codeOf, idOf } = await start();
    await codeOf();
    const id = await idOf();
    await expect(async () => approvals.approve(id, { ...PAUL, forMs })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(await codeOf()).toBe('APPROVAL_PENDING');
  });

  it('is one of two who decide at once', async () => {
    const { approvals, codeOf, idOf } = await start();
    await codeOf();
    const id = await idOf();
    const both = await Promise.allSettled([
      approvals.approve(id, PAUL),
      approvals.refuse(id, { ...PAUL, actor: 'olga' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({
      reason: { code: 'REVISION_CONFLICT', message: 'paul has approved this already, at revision 1.' },
    });
  });

  it('decides an undecided request, and another one only with the revision of its decision', async () => {
    const { approvals, codeOf, idOf, told } = await start();
    await codeOf();
    const id = await idOf();
    const olga = { actor: 'olga', reason: 'not this one' };
    const wrong = [{}, { expectedRevision: 0 }, { expectedRevision: 2 }];
    await expect(approvals.approve(id, { ...PAUL, expectedRevision: 1 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
      message: expect.stringContaining('asked for anew'),
    });
    await approvals.approve(id, { ...PAUL, expectedRevision: 0 });
    for (const seen of wrong) {
      for (const decide of [approvals.approve(id, { ...olga, ...seen }), approvals.refuse(id, { ...olga, ...seen })]) {
        await expect(decide).rejects.toMatchObject({
          code: 'REVISION_CONFLICT',
          message: 'paul has approved this already, at revision 1.',
        });
      }
    }
    expect(await codeOf()).toBeUndefined();
    expect(await approvals.refuse(id, { ...olga, expectedRevision: 1 })).toMatchObject({ actor: 'olga', revision: 2 });
    await expect(approvals.approve(id, { ...PAUL, expectedRevision: 1 })).rejects.toMatchObject({
      message: 'olga has refused this already, at revision 2.',
    });
    expect(await codeOf()).toBe('APPROVAL_REFUSED');
    expect(told()).toEqual(['approval.asked', 'approval.approved', 'approval.refused']);
  });

  it('is answered like the first time for the same key', async () => {
    const { approvals, clock, codeOf, idOf, told } = await start();
    await codeOf();
    const id = await idOf();
    const first = await approvals.approve(id, { ...PAUL, idempotencyKey: 'k' });
    expect(await approvals.approve(id, { ...PAUL, idempotencyKey: 'k' })).toEqual(first);
    await expect(approvals.refuse(id, { ...PAUL, idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    clock.now += 5;
    expect(await approvals.approve(id, { ...PAUL, idempotencyKey: 'k' })).toEqual(first);
    await expect(approvals.approve(id, { ...PAUL, forMs: 5, idempotencyKey: 'k' })).rejects.toMatchObject({
      message: expect.stringContaining('another decision'),
    });
    expect(told()).toEqual(['approval.asked', 'approval.approved']);
    await approvals.refuse(id, { ...PAUL, expectedRevision: first.revision });
    await expect(approvals.approve(id, { ...PAUL, idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('does not hold any more'),
    });
    expect(await codeOf()).toBe('APPROVAL_REFUSED');
  });
});
