import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ControlPlane } from '../control/control-plane.js';
import { MemoryControlStore } from '../control/memory-control-store.js';
import { StoredPolicies } from './stored-policies.js';
import { policyKey, storedPolicyOf, StoredPolicySet } from './stored-policy.js';
import type { ToolPolicy } from './tool-policy.js';
import { policyKind } from './policy-kind.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';

const OLGA = { actor: 'olga', reason: 'contract of May' };
const TOOL = fakeTool({ name: 'crm.delete' });
const SAID = { reason: 'r', actor: 'olga', changedAt: 1, revision: 1 };

async function start() {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, CONTROL_KINDS, events);
  await plane.refresh();
  const policies = new StoredPolicies(plane, events, undefined, () => 5);
  const refusal = (tenantId: string, ...agentIds: string[]) =>
    plane.current().of(policyKind).refusal(TOOL, tenantId, agentIds)?.rule;
  const told = () => happened.map(({ type }) => type).filter((type) => type.startsWith('policy'));
  return { policies, refusal, told, store, plane };
}

describe('a stored policy', () => {
  it('binds its tenant, its agent, or its agent in one tenant, from the moment it is set until it is removed', async () => {
    const { policies, refusal, told, store } = await start();
    const policy = { deny: ['crm.*'] };
    expect(await policies.set({ tenantId: 'acme' }, policy, OLGA)).toMatchObject({ policy, revision: 1, changedAt: 5 });
    expect([refusal('acme'), refusal('acme', 'bot'), refusal('globex', 'bot')]).toEqual([
      'stored-tenant:deny:crm.*',
      'stored-tenant:deny:crm.*',
      undefined,
    ]);
    await policies.set({ agentId: 'bot' }, policy, OLGA);
    await policies.set({ tenantId: 'initech', agentId: 'aid' }, policy, OLGA);
    expect([refusal('globex', 'bot'), refusal('globex', 'aid'), refusal('initech', 'aid'), refusal('initech')]).toEqual(
      ['stored-agent:deny:crm.*', undefined, 'stored-agent:deny:crm.*', undefined],
    );
    expect(await policies.remove({ tenantId: 'acme' }, OLGA)).toBe(4);
    expect([refusal('acme'), await policies.find({ tenantId: 'acme' })]).toEqual([undefined, undefined]);
    await expect(policies.remove({ tenantId: 'acme' }, OLGA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await policies.list({ limit: 9 })).map(policyKey)).toEqual(['["","bot"]', '["initech","aid"]']);
    expect((await policies.list({ limit: 9 }, 'initech')).map(policyKey)).toEqual(['["initech","aid"]']);
    expect(told()).toEqual(['policy.set', 'policy.set', 'policy.set', 'policy.removed']);
    expect((await store.audit({}, { limit: 9 })).map(({ subject }) => subject)).toEqual([
      'tenant acme',
      'agent bot',
      'agent aid of tenant initech',
      'tenant acme',
    ]);
  });

  it.each<[string, unknown]>([
    ['a misspelt field', { denied: ['*'] }],
    ['a list that is a text', { deny: 'crm.*' }],
    ['a broken glob', { deny: ['crm/*'] }],
    ['no object', []],
    ['nothing', null],
    ['a tag without end', { requireTags: ['a'.repeat(65)] }],
    ['too many globs', { deny: Array(1001).fill('a') }],
  ])('with %s changes nothing', async (_, policy) => {
    const { policies, store } = await start();
    await expect(policies.set({ tenantId: 'acme' }, policy as ToolPolicy, OLGA)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(await store.audit({}, { limit: 9 })).toEqual([]);
  });

  it.each([{}, { tenantId: 5 }, { tenantId: 'a'.repeat(257) }, { agentId: null }])(
    'needs a tenant or an agent: %j',
    async (owner) => {
      const { policies } = await start();
      await expect(policies.set(owner as object, {}, OLGA)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    },
  );

  it.each(['ac\u202eme', ' acme', 'acme\n'])('is not set for %j, but can be taken away from it', async (tenantId) => {
    const { policies, plane } = await start();
    await expect(policies.set({ tenantId }, {}, OLGA)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('tenantId'),
    });
    const value = { tenantId, agentId: '', policy: {}, ...OLGA, changedAt: 1 };
    const put = { kind: 'policy' as const, key: policyKey(value), tenantId, value, expiresAt: 0 };
    const said = { action: 'policy.set', subject: 'before', tenantId, at: 1, idempotencyKey: '' };
    await plane.change({ ...OLGA, ...said, put });
    expect(await policies.remove({ tenantId }, OLGA)).toBe(2);
  });

  it('is one of 10,000 at most; those that are there can be changed', async () => {
    const { policies, store, plane } = await start();
    await policies.set({ tenantId: 'acme' }, {}, OLGA);
    const [one] = (await store.read())!.records;
    const records = Array.from({ length: 9_999 }, (_, index) => {
      const value = { ...one!.value, tenantId: `t${index}` };
      return { ...one!, key: `${index}`, tenantId: `t${index}`, value };
    });
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async () => {
      const state = (await read())!;
      return { ...state, records: [...state.records, ...records] };
    });
    await plane.refresh();
    await expect(policies.set({ tenantId: 'globex' }, {}, OLGA)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('10000'),
    });
    expect((await policies.set({ tenantId: 'acme' }, { deny: ['a'] }, OLGA)).revision).toBe(2);
  });

  it('is one of 1,000 of its tenant at most, agents included', async () => {
    const { policies, store, plane } = await start();
    await policies.set({ tenantId: 'acme' }, {}, OLGA);
    const [one] = (await store.read())!.records;
    const records = Array.from({ length: 999 }, (_, index) => ({
      ...one!,
      key: `${index}`,
      value: { ...one!.value, agentId: `a${index}` },
    }));
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async () => {
      const state = (await read())!;
      return { ...state, records: [...state.records, ...records] };
    });
    await plane.refresh();
    await expect(policies.set({ tenantId: 'acme', agentId: 'one more' }, {}, OLGA)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'There are 1000 stored policies of this tenant already.',
    });
    expect((await policies.set({ tenantId: 'acme', agentId: 'a7' }, { deny: ['a'] }, OLGA)).revision).toBe(2);
    expect((await policies.set({ tenantId: 'globex', agentId: 'one' }, {}, OLGA)).revision).toBe(3);
    expect((await policies.set({ agentId: 'one' }, {}, OLGA)).revision).toBe(4);
  });

  it('with an empty allow list allows no tool', async () => {
    const { policies, refusal } = await start();
    await policies.set({ tenantId: 'acme' }, { allow: [] }, OLGA);
    expect(refusal('acme')).toBe('stored-tenant:allow');
  });

  it('is changed only with its newest revision, and emits one event for one idempotency key', async () => {
    const { policies, told } = await start();
    const set = (request: object) => policies.set({ tenantId: 'acme' }, { deny: ['a'] }, { ...OLGA, ...request });
    await set({ expectedRevision: 0 });
    await expect(set({ expectedRevision: 0 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    const first = await set({ expectedRevision: 1, idempotencyKey: 'k' });
    expect(await set({ expectedRevision: 1, idempotencyKey: 'k' })).toEqual(first);
    await expect(policies.set({ tenantId: 'globex' }, {}, { ...OLGA, idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    const otherPolicy = { ...OLGA, idempotencyKey: 'k' };
    await expect(policies.set({ tenantId: 'acme' }, { deny: ['b'] }, otherPolicy)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('another decision'),
    });
    expect(told()).toEqual(['policy.set', 'policy.set']);
    // The decision of this key is no longer in force.
    const removal = { ...OLGA, idempotencyKey: 'r' };
    expect(await policies.remove({ tenantId: 'acme' }, removal)).toBe(3);
    expect(await policies.remove({ tenantId: 'acme' }, removal)).toBe(3);
    const gone = { code: 'INVALID_REQUEST', message: expect.stringContaining('does not hold any more') };
    await expect(set({ idempotencyKey: 'k' })).rejects.toMatchObject(gone);
    await set({});
    await expect(policies.remove({ tenantId: 'acme' }, removal)).rejects.toMatchObject(gone);
  });
});

describe('a policy as it was kept', () => {
  const stored = { tenantId: 'acme', agentId: 'bot', policy: { allow: [], deny: ['a.*'], approval: ['b'] }, ...SAID };

  it('is what it was', () => {
    const { revision, ...value } = stored;
    expect(storedPolicyOf({ value, revision })).toEqual(stored);
  });

  it.each([
    { policy: { denied: [] }, tenantId: 'acme' },
    { policy: null, tenantId: 'acme' },
    // It would apply to a tenant named "undefined" and not to the intended one.
    { policy: {} },
    { policy: {}, tenantId: 7, agentId: '' },
  ])('is refused where it cannot be read, and not left out: %j', (value) => {
    expect(() => storedPolicyOf({ value: value as never, revision: 1 })).toThrow(/./);
  });

  it('asks for approvals at every level', () => {
    const set = new StoredPolicySet([{ ...stored, policy: { approval: ['crm.*'] } }]);
    expect([
      set.approval(TOOL, 'acme', ['bot'])?.rule,
      set.approval(TOOL, 'acme', []),
      set.approval(TOOL, 'globex', ['bot']),
    ]).toEqual(['stored-agent:approval:crm.*', undefined, undefined]);
  });
});
