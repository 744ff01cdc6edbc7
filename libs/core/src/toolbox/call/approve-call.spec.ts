import { setTimeout as later } from 'node:timers/promises';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type { ToolResult } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';

const OLGA = { actor: 'olga', reason: 'checked with Ada' };
const ADA = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
const redactor = {
  redact: async (texts: readonly { readonly text: string }[]) =>
    texts.map(({ text }) => text.replaceAll('s3cret', '[gone]')),
};
const codeOf = (result: ToolResult) => (result.ok ? 'ok' : result.code);

const worlds: OpenToolbox[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

/** A world in which each call of `billing.refund` needs an approval. */
async function worldOf(setup: ToolboxSetup = {}, tool: Partial<FakeSourceTool> = {}) {
  const source = new FakeSource('billing', [
    { name: 'refund', sideEffects: 'read', run: () => 'paid', ...tool },
    'void',
  ]);
  const world = await openToolbox({
    sources: [source],
    policy: { approval: ['billing.refund'] },
    context: ADA,
    ...setup,
  });
  worlds.push(world);
  const { approvals } = world;
  const call = async (input: unknown, toolbox = world.toolbox) => toolbox.call('billing.refund', input);
  const open = async () => (await approvals.list({ limit: 100 })).filter(({ status }) => status === 'pending');
  const approve = async (more: { note?: string; forMs?: number } = {}) =>
    approvals.approve((await open()).at(-1)!.id, { ...OLGA, ...more });
  const ran = () => source.calls.map(({ input }) => input);
  return { ...world, openAs: world.open, source, call, open, approve, ran };
}

describe('a call that needs an approval of its own', () => {
  it('is asked for, waits, runs once with exactly these arguments, and is asked for anew', async () => {
    const { call, open, approve, ran, eventsOf, controlStore } = await withStore();
    const input = { invoice: 'inv_1', lines: [{ cents: 5, note: 'late' }] };
    expect(await call(input)).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      hint: expect.stringContaining('repeat exactly this call'),
    });
    expect(codeOf(await call(input))).toBe('APPROVAL_PENDING');
    expect(await open()).toMatchObject([{ covers: 'call', tool: 'billing.refund', userId: 'ada', scopeId: 's1' }]);
    const { id } = await approve();
    expect(ran()).toEqual([]);
    // The order of keys, and whether they come as text, are no part of the arguments.
    const same = '{"lines":[{"note":"late","cents":5}],"invoice":"inv_1"}';
    expect(codeOf(await call(same))).toBe('ok');
    expect(ran()).toEqual([input]);
    expect(codeOf(await call(input))).toBe('APPROVAL_REQUIRED');
    expect(eventsOf('approval.asked')).toHaveLength(2);
    const [called] = eventsOf('tool.called').filter(({ outcome }) => outcome === 'ok');
    expect(eventsOf('approval.used')).toMatchObject([{ id, tool: 'billing.refund', callId: called!.callId }]);
    // The claim leaves no entry, and the trail still fits what is stored.
    expect(await controlStore.audit({}, { limit: 9 })).toHaveLength(1);
    expect(await worlds[0]!.audit.verify()).toMatchObject({ valid: true });
  });

  it('runs once, however many repeats there are at the same time', async () => {
    const { call, approve, ran } = await worldOf({}, { run: async () => later(5, 'paid') });
    await call({ cents: 5 });
    await approve();
    const results = await Promise.all(Array.from({ length: 200 }, () => call({ cents: 5 })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(results.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['APPROVAL_REQUIRED']));
    expect(ran()).toEqual([{ cents: 5 }]);
  });

  it('is another request with other arguments, which takes the place of the open one', async () => {
    const { call, open, approve, ran, approvals, faults } = await worldOf();
    await call({ cents: 5 });
    const [first] = await open();
    await call({ cents: 6 });
    const [second, ...others] = await open();
    expect([others, second!.id === first!.id]).toEqual([[], false]);
    expect(await approvals.argumentsOf(first!)).toBeUndefined();
    await expect(approvals.approve(first!.id, OLGA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await approve();
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
    // What was decided stays, beside the new request.
    expect(codeOf(await call({ cents: 6 }))).toBe('ok');
    expect([ran(), faults]).toEqual([[{ cents: 6 }], []]);
  });

  it('cannot be asked for with ever new arguments: a user may change them a few times in ten minutes, on all instances', async () => {
    const clock = { now: Date.now() };
    const setup = { now: () => clock.now, options: { tuning: { approvals: { maxOpenPerUser: 3 } } } };
    const { call, toolbox, open, approvals, openAs, controlStore, eventsOf } = await withStore(setup);
    const other = await worldOf({ ...setup, controlStore });
    const asked = async (cents: number, by = toolbox) => codeOf(await call({ cents }, by));
    for (const cents of [1, 2, 3]) expect(await asked(cents)).toBe('APPROVAL_REQUIRED');
    const elsewhere = openAs({ sessionId: 's2' });
    expect(await asked(1, elsewhere)).toBe('APPROVAL_REQUIRED');
    expect(await asked(4, other.toolbox)).toBe('APPROVAL_REQUIRED');
    const before = await open();
    expect(await call({ cents: 5 })).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('changed 3 times'),
      hint: expect.stringContaining('still waits'),
    });
    expect([await asked(5, other.toolbox), await asked(2, elsewhere)]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    expect(await open()).toEqual(before);
    expect([await asked(4), eventsOf('approval.asked').length]).toEqual(['APPROVAL_PENDING', 4]);
    // A decision does not make room for more, and other users have their own.
    await approvals.refuse(before.find(({ scopeId }) => scopeId === 's1')!.id, OLGA);
    expect(await asked(2, elsewhere)).toBe('RATE_LIMITED');
    for (const cents of [1, 2]) expect(await asked(cents, openAs({ userId: 'eve' }))).toBe('APPROVAL_REQUIRED');
    clock.now += 600_000;
    expect(await asked(2, elsewhere)).toBe('APPROVAL_REQUIRED');
  });

  it('leaves open what others ask: another user, session, tool or agent', async () => {
    const { call, open, toolbox, openAs } = await worldOf({ policy: { approval: ['billing.*'] } });
    await call({ cents: 5 });
    await call({ cents: 6 }, openAs({ userId: 'eve' }));
    await call({ cents: 6 }, openAs({ sessionId: 's2' }));
    await call({ cents: 6 }, toolbox.narrow({ agentId: 'clerk' }));
    await toolbox.call('billing.void', { cents: 6 });
    expect(await open()).toHaveLength(5);
  });

  it('stays refused with these arguments, and may be asked for with others', async () => {
    const { call, open, approvals } = await worldOf();
    await call({ cents: 5 });
    await approvals.refuse((await open())[0]!.id, OLGA);
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REFUSED');
    expect(codeOf(await call({ cents: 6 }))).toBe('APPROVAL_REQUIRED');
  });

  it('expires, asked for and approved', async () => {
    const clock = { now: Date.now() };
    const { call, approve } = await worldOf({ now: () => clock.now });
    await call({ cents: 5 });
    await approve({ forMs: 1000 });
    clock.now += 1000;
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
    clock.now += 86_400_000;
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
  });

  it('needs a session or run that can be named again', async () => {
    const { open } = await worldOf();
    const { toolbox } = await worldOf({ context: { tenantId: 'acme', userId: 'ada' } });
    expect(codeOf(await toolbox.call('billing.refund', {}))).toBe('SESSION_REQUIRED');
    expect(await open()).toEqual([]);
  });

  it('is asked for with the arguments that the tool gets, after interceptors', async () => {
    const interceptors = [{ intercept: (_: unknown, next: (input?: object) => never) => next({ cents: 7 }) }];
    const { call, approve, approvals, open, ran } = await worldOf({ interceptors: interceptors as never });
    await call({ cents: 5 });
    expect(await approvals.argumentsOf((await open())[0]!)).toBe('cents: 7');
    await approve();
    expect(codeOf(await call({ cents: 6 }))).toBe('ok');
    expect(ran()).toEqual([{ cents: 7 }]);
  });

  it('asks nobody when it is loaded, found or read', async () => {
    const { toolbox, open } = await worldOf({
      options: { exposure: 'deferred', activation: { activateOn: 'search' } },
    });
    expect(await toolbox.activate(['billing.refund'])).toMatchObject({ activated: ['billing.refund'] });
    await toolbox.search({ query: 'refund' });
    await toolbox.get(['billing.refund']);
    expect(await open()).toEqual([]);
  });

  it('asks through the bridge for the call inside', async () => {
    const { toolbox, approve, approvals, open, ran } = await worldOf({ options: { exposure: 'bridge' } });
    const call = (args: object) => toolbox.call('tool_call', { name: 'billing.refund', arguments: args });
    expect(codeOf(await call({ a: 1, b: 2 }))).toBe('APPROVAL_REQUIRED');
    expect(await approvals.argumentsOf((await open())[0]!)).toBe('a: 1\nb: 2');
    await approve();
    expect(codeOf(await call({ b: 2, a: 1 }))).toBe('ok');
    expect(ran()).toEqual([{ a: 1, b: 2 }]);
  });
});

describe('an approval of one call stays usable', () => {
  it('if a limit refuses the call', async () => {
    const rules = [{ id: 'one', rate: { calls: 1, windowMs: 60_000 } }];
    const { call, approve, approvals } = await worldOf({ options: { limits: { rules } } });
    for (const expected of ['ok', 'LIMIT_REACHED']) {
      await call({ cents: 5 });
      await approve();
      expect(codeOf(await call({ cents: 5 }))).toBe(expected);
    }
    expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
  });

  it('if a kill switch turns the tool off, also while the call waits for its source', async () => {
    const ends: (() => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(() => resolve('paid')));
    const { call, approve, approvals, killSwitches, toolbox, ran, source } = await worldOf(
      { options: { calls: { perSource: { billing: 1 } } } },
      { run },
    );
    source.setTools([
      { name: 'refund', run: () => 'paid' },
      { name: 'void', run },
    ]);
    await worlds[0]!.catalog.refresh();
    const busy = toolbox.call('billing.void', {});
    await call({ cents: 5 });
    await approve();
    const waiting = call({ cents: 5 });
    await later(20);
    const off = await killSwitches.engage({ kind: 'tool', value: 'billing.refund', ...OLGA });
    ends[0]!();
    await busy;
    expect(codeOf(await waiting)).toBe('TOOL_NOT_AVAILABLE');
    expect(codeOf(await call({ cents: 5 }))).toBe('TOOL_NOT_AVAILABLE');
    await killSwitches.release(off.killSwitch.id, { ...OLGA, expectedRevision: off.revision });
    expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
    expect(codeOf(await call({ cents: 5 }))).toBe('ok');
    expect(ran()).toEqual([{}, { cents: 5 }]);
  });

  it('if the guards of the tool refuse the call', async () => {
    let isForbidden = true;
    class Guarded extends FakeSource {
      readonly admit: NonNullable<ToolSource['admit']> = async () => {
        if (isForbidden) throw new ToolSearchError('TOOL_FORBIDDEN', 'No.');
      };
    }
    const source = new Guarded('billing', [{ name: 'refund', run: () => 'paid' }]);
    const { call, approve } = await worldOf({ sources: [source] });
    await call({ cents: 5 });
    await approve();
    expect(codeOf(await call({ cents: 5 }))).toBe('TOOL_FORBIDDEN');
    isForbidden = false;
    expect(codeOf(await call({ cents: 5 }))).toBe('ok');
  });

  it('if a stored result answers', async () => {
    const resultCache = { tools: [{ match: ['billing.refund'], ttlMs: 60_000 }] };
    const { call, approve, ran } = await worldOf({ options: { resultCache } });
    await call({ cents: 5 });
    await approve();
    expect(codeOf(await call({ cents: 5 }))).toBe('ok');
    await call({ cents: 5 });
    await approve();
    expect([codeOf(await call({ cents: 5 })), codeOf(await call({ cents: 5 }))]).toEqual(['ok', 'ok']);
    expect(ran()).toHaveLength(1);
  });
});

it('an approval that is used for an equal call of somebody who still waits is no “nothing has happened” for who left', async () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const ends: (() => void)[] = [];
  const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
  const resultCache = { tools: [{ match: ['billing.refund'], ttlMs: 60_000 }] };
  const source = new FakeSource('billing', [
    { name: 'refund', sideEffects: 'read', run: () => 'paid' },
    { name: 'void', run },
  ]);
  const { call, approve, toolbox, cachedResults } = await worldOf({
    sources: [source],
    options: { resultCache, calls: { perSource: { billing: 1 } } },
  });
  await call({ cents: 5 });
  await approve();
  const busy = toolbox.call('billing.void', {});
  while (ends.length === 0) await settled();
  let joins = 0;
  (source as ToolSource).admit = async () => void (joins += 1);
  const leaving = new AbortController();
  const first = toolbox.call('billing.refund', { cents: 5 }, { signal: leaving.signal });
  while (cachedResults.running === 0) await settled();
  const second = call({ cents: 5 });
  while (joins === 0) await settled();
  await settled();
  leaving.abort();
  expect(await first).toMatchObject({
    code: 'TOOL_CANCELLED',
    message: expect.stringContaining('may have taken effect'),
  });
  ends[0]!();
  await busy;
  expect(await second).toMatchObject({ ok: true });
  expect(source.calls.map(({ input }) => input)).toEqual([{}, { cents: 5 }]);
});

describe('a switch that comes while the approval is claimed', () => {
  it('keeps the tool from running', async () => {
    let meanwhile = async (): Promise<unknown> => undefined;
    class Slow extends MemoryControlStore {
      override async claim(...claim: Parameters<MemoryControlStore['claim']>): Promise<boolean> {
        const claimed = await super.claim(...claim);
        if (claimed && claim[0] === 'approval') await meanwhile();
        return claimed;
      }
    }
    const { call, approve, killSwitches, ran } = await worldOf({ controlStore: new Slow() });
    await call({ cents: 5 });
    await approve();
    meanwhile = () => killSwitches.engage({ kind: 'tool', value: 'billing.refund', ...OLGA });
    expect(codeOf(await call({ cents: 5 }))).toBe('TOOL_NOT_AVAILABLE');
    expect(ran()).toEqual([]);
  });

  it('is closed, as is a store that fails', async () => {
    class Failing extends MemoryControlStore {
      override async claim(...claim: Parameters<MemoryControlStore['claim']>): Promise<boolean> {
        if (claim[0] === 'approval') throw new Error('the disk is full');
        return super.claim(...claim);
      }
    }
    const { call, approve, ran } = await worldOf({ controlStore: new Failing() });
    await call({ cents: 5 });
    await approve();
    expect(codeOf(await call({ cents: 5 }))).toBe('STORE_UNAVAILABLE');
    expect(ran()).toEqual([]);
  });
});

describe('what the operator sees of a call', () => {
  it('are all arguments by members, redacted, beside the approval and not in the audit trail', async () => {
    const { call, approve, approvals, open, ran, controlStore } = await withStore({
      options: { redaction: { redactor } },
    });
    const input = { iban: 's3cret', note: 'n'.repeat(5000), cents: 5 };
    await call(input);
    const asked = (await open())[0]!;
    const { id, digest } = asked;
    const shown = await approvals.argumentsOf(asked);
    expect(shown).toMatch(/^iban: "\[gone\]"\nnote: "n+… \d+ characters more\ncents: 5$/);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    await approve({ forMs: 7 * 86_400_000 });
    // They can be read for as long as the decision holds.
    expect(await approvals.argumentsOf(asked)).toBe(shown);
    const { expiresAt } = (await controlStore.find('approval', id))!;
    expect(await controlStore.list('approval_arguments', { limit: 9 })).toMatchObject([{ expiresAt }]);
    const trail = JSON.stringify(await controlStore.audit({}, { limit: 9 }));
    expect(trail).toContain(id);
    for (const text of ['[gone]', 's3cret', 'nnnn']) expect(trail).not.toContain(text);
    expect(codeOf(await call(input))).toBe('ok');
    expect(ran()).toEqual([input]);
    expect(await approvals.argumentsOf(asked)).toBeUndefined();
  });

  it.each<object>([{ except: ['billing.*'] }, { tools: ['crm.*'] }])(
    'is redacted, although the results of the tool are not: %j',
    async (results) => {
      const { call, approvals, open } = await worldOf({ options: { redaction: { redactor, ...results } } });
      await call({ iban: 's3cret' });
      expect(await approvals.argumentsOf((await open())[0]!)).toBe('iban: "[gone]"');
    },
  );

  it('differs by the real arguments, not by the redacted ones', async () => {
    const { call, approve, ran } = await worldOf({ options: { redaction: { redactor } } });
    await call({ iban: 's3cret' });
    await approve();
    expect(codeOf(await call({ iban: '[gone]' }))).toBe('APPROVAL_REQUIRED');
    expect(ran()).toEqual([]);
  });

  it('is never less than what runs: nobody is asked if it cannot be shown or redacted', async () => {
    const broken = { redact: () => Promise.reject(new Error('the redactor is down')) };
    const { call, open } = await worldOf();
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`member_${n}`, n]));
    expect(codeOf(await call(many))).toBe('INVALID_ARGUMENTS');
    expect(await open()).toEqual([]);
    const unredacted = await worldOf({ options: { redaction: { redactor: broken } } });
    expect(codeOf(await unredacted.call({ cents: 5 }))).toBe('REDACTION_FAILED');
    expect(await unredacted.open()).toEqual([]);
  });

  it("is erased with the user's calls, with the requests that nobody has decided", async () => {
    const { call, open, approve, approvals, records, openAs, controlStore } = await withStore();
    await call({ cents: 5 });
    await call({ cents: 5 }, openAs({ userId: 'eve' }));
    await call({ cents: 5 }, openAs({ tenantId: 'globex' }));
    await call({ cents: 7 }, openAs({ sessionId: 's9' }));
    const decided = (await open()).find(({ scopeId }) => scopeId === 's9')!;
    await approvals.approve(decided.id, OLGA);
    await records.erase({ tenantId: 'acme', userId: 'ada' });
    expect(await approvals.argumentsOf(decided)).toBeUndefined();
    expect((await open()).map(({ tenantId, userId }) => `${userId}@${tenantId}`).toSorted()).toEqual([
      'ada@globex',
      'eve@acme',
    ]);
    expect(await controlStore.list('approval_arguments', { limit: 9 })).toHaveLength(2);
    // What was approved was seen by somebody, and may still run.
    expect(codeOf(await call({ cents: 7 }, openAs({ sessionId: 's9' })))).toBe('ok');
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
    await approve();
    await records.erase({ tenantId: 'acme' });
    expect(await controlStore.list('approval_arguments', { limit: 9 }, 'acme')).toEqual([]);
  });
});

describe('a note of the operator', () => {
  it('is read by the model with the result of the approved call, and only with that', async () => {
    const { call, approve } = await worldOf();
    await call({ cents: 5 });
    await approve({ note: 'Tell the customer that it takes two days.' });
    expect(await call({ cents: 5 })).toMatchObject({
      ok: true,
      note: 'The person who approved this call says: Tell the customer that it takes two days.',
    });
    await call({ cents: 5 });
    await approve();
    expect(await call({ cents: 5 })).not.toHaveProperty('note');
  });

  it.each(['two\nlines', '\u202eturned', ' ', 'n'.repeat(501)])('is refused: %j', async (note) => {
    const { call, approve, open } = await worldOf();
    await call({ cents: 5 });
    await expect(async () => approve({ note })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await open()).toHaveLength(1);
  });

  it('belongs to no approval of a session', async () => {
    const { call, approve } = await worldOf({ policy: { approval: [{ tools: 'billing.*', scope: 'session' }] } });
    await call({ cents: 5 });
    await expect(approve({ note: 'Once.' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('an approval that an earlier version wrote', () => {
  const HOUR = 3_600_000;

  /** Rewrites the approvals of a session as they were written before they said what they cover. */
  async function upgraded(decide: 'approve' | 'refuse' | undefined, setup: ToolboxSetup = {}) {
    const controlStore = new MemoryControlStore();
    const clock = { now: Date.now() };
    const now = () => clock.now;
    const before = await worldOf({ controlStore, now, policy: { approval: [{ tools: '*', scope: 'session' }] } });
    await before.call({ cents: 5 });
    const [asked] = await before.open();
    if (decide) await before.approvals[decide](asked!.id, OLGA);
    const record = (await controlStore.find('approval', asked!.id))!;
    const { covers: _, digest: __, agents: ___, note: ____, ...value } = record.value;
    jest.spyOn(controlStore, 'find').mockImplementation(async (kind, key) => {
      const found = await MemoryControlStore.prototype.find.call(controlStore, kind, key);
      return found && key === asked!.id && found.revision === record.revision ? { ...found, value } : found;
    });
    const world = await worldOf({ ...setup, controlStore, now });
    return { ...world, clock, id: asked!.id };
  }

  it('covers the session until it expires', async () => {
    const { call, clock } = await upgraded('approve');
    expect([codeOf(await call({ cents: 5 })), codeOf(await call({ cents: 6 }))]).toEqual(['ok', 'ok']);
    clock.now += HOUR;
    expect(codeOf(await call({ cents: 6 }))).toBe('APPROVAL_REQUIRED');
  });

  it.each([
    ['alone', []],
    ['beside an entry', ['billing.*']],
  ])('covers no call that a rule on arguments asks about, which did not exist then, %s', async (_what, approval) => {
    const unless = { required: ['ticket'] };
    const rule = { id: 'approval', tools: ['billing.*'], unless, then: 'approve', reason: 'no ticket' } as const;
    const { call } = await upgraded('approve', { policy: { approval, arguments: [rule] } });
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
    expect(codeOf(await call({ cents: 5, ticket: 'T-1' }))).toBe('ok');
  });

  it('stays refused', async () => {
    const { call } = await upgraded('refuse');
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REFUSED');
  });

  it('covers nothing if nobody had decided', async () => {
    const { call, approvals, id } = await upgraded(undefined);
    await approvals.approve(id, OLGA);
    expect(codeOf(await call({ cents: 5 }))).toBe('APPROVAL_REQUIRED');
  });
});

async function withStore(setup: ToolboxSetup = {}) {
  const controlStore = new MemoryControlStore();
  return { ...(await worldOf({ ...setup, controlStore })), controlStore };
}
