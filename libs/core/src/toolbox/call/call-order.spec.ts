import type { CallPolicyAnswer } from '../../access/call-policies/tool-call-policy.js';
import { MemoryLimitStore } from '../../access/limits/memory-limit-store.js';
import type { CounterChange } from '../../access/limits/limit-store.js';
import { MemoryActivationStore } from '../../activation/memory-activation-store.js';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import { contentText, failure, type ToolResult } from '../../tool/tool-result.js';
import type { ToolCallInterceptor } from '../../tool/tool-call-interceptor.js';
import { type TracedWork, ToolTracing } from '../../tool/tool-tracing.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ResultRedactor } from '../results/redaction/result-redactor.js';
import { Toolbox } from '../toolbox.js';

const SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false };
const OLGA = { actor: 'olga', reason: 'stop' };
const ONE = { id: 'one', rate: { calls: 1, windowMs: 60_000 } };
const STORED = { tools: [{ match: ['crm.read'], ttlMs: 60_000 }] };
const RULE = {
  id: 'seven',
  tools: ['crm.*'],
  when: { required: ['id'], properties: { id: { const: 7 } } },
  then: 'deny',
  reason: 'not this one',
} as const;
/** A call policy that denies the id 7. */
const deciding = () => ({
  decide: jest.fn(({ arguments: { id } }: { readonly arguments: { readonly id?: unknown } }): CallPolicyAnswer => {
    return id === 7 ? { outcome: 'deny', reason: 'not this one' } : { outcome: 'allow' };
  }),
});
const EACH_CALL = { policy: { approval: ['crm.*'] } };
const ASKING = { ...RULE, id: 'asking', then: 'approve' } as const;
const WRONG = { id: 'x' };
const MANY = { id: 'many', rate: { calls: 9, windowMs: 60_000 } };
const ALONE = { id: 'alone', concurrency: { calls: 1 } };
/** Turns every text into another one, and remembers what it was given. */
class Redactor implements ResultRedactor {
  readonly given: string[] = [];

  redact(texts: readonly { readonly text: string }[]): string[] {
    this.given.push(...texts.map(({ text }) => text));
    return texts.map(({ text }) => text.replaceAll('secret', '[gone]'));
  }
}

const worlds: OpenToolbox[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

/** A world with one tool, `crm.read`. */
async function worldOf(tool: Partial<FakeSourceTool> = {}, { options, ...setup }: ToolboxSetup = {}) {
  const source = new FakeSource('crm', [{ name: 'read', sideEffects: 'read', inputSchema: SCHEMA, ...tool }]);
  const world = await openToolbox({
    sources: [source],
    options: { exposure: 'deferred', tokenizer: 'estimate', ...options },
    ...setup,
  });
  worlds.push(world);
  return {
    ...world,
    source,
    call: (input: unknown = {}, more: Parameters<Toolbox['call']>[2] = {}) =>
      world.toolbox.call('crm.read', input, more),
    turnOff: () => world.killSwitches.engage({ kind: 'tool', value: 'crm.read', ...OLGA }),
    used: async (id: string) =>
      (await world.toolLimits.list({ limit: 200 })).find(({ limit }) => limit.id === id)?.usage?.used,
    active: async () => (await world.toolbox.state()).activated.map(({ name }) => name),
    approved: async (note?: string) => {
      await world.toolbox.call('crm.read', {});
      const [request] = await world.approvals.list({ limit: 9 });
      await world.approvals.approve(request!.id, { ...OLGA, ...(note !== undefined && { note }) });
    },
    rows: async () => world.records.list({ kind: 'call' }, { limit: 10 }),
  };
}

const text = (result: ToolResult) => contentText(result.content ?? []);
const codeOf = (result: ToolResult) => (result.ok ? 'ok' : result.code);
const settled = () => new Promise((resolve) => setImmediate(resolve));
const passOn: ToolCallInterceptor['intercept'] = (_, next) => next();
const refused = async () => failure('CANCELLED' as never, 'The user said no.');

/** Counts only after everything that a test has begun. */
class SlowLimits extends MemoryLimitStore {
  override update<T>(keys: readonly string[], change: CounterChange<T>, tenantId?: string): T {
    return settled().then(() => super.update(keys, change, tenantId)) as T;
  }
}

/** A tool that ends when the test says so. */
function heldTool() {
  const ends: (() => void)[] = [];
  return { ends, run: () => new Promise<string>((resolve) => ends.push(() => resolve('secret done'))) };
}

/** What must happen before what, and how a call shows it. */
const ORDER: readonly (readonly [first: string, then: string, proof: () => Promise<void>])[] = [
  [
    'a bridge call is unwrapped',
    'its span begins',
    async () => {
      const targets: string[] = [];
      class Targets extends ToolTracing {
        trace<T>({ target }: TracedWork, work: () => Promise<T>): Promise<T> {
          targets.push(target);
          return work();
        }
      }
      const world = await worldOf({}, { options: { exposure: 'bridge' } });
      const toolbox = new Toolbox({ ...world, tracing: new Targets() } as never, () => ({ tenantId: 'acme' }));
      expect(codeOf(await toolbox.call('tool_call', { name: 'crm.read', arguments: {} }))).toBe('ok');
      expect(targets).toEqual(['crm.read']);
    },
  ],
  [
    'the record begins',
    'the gate decides',
    async () => {
      const { call, rows } = await worldOf({}, { policy: { deny: ['crm.*'] } });
      expect(codeOf(await call())).toBe('TOOL_NOT_AVAILABLE');
      expect(await rows()).toMatchObject([{ tool: 'crm.read', decision: 'deny', layer: 'policy', callId: '' }]);
    },
  ],
  [
    'a row of searches ends',
    'the gate decides',
    async () => {
      const { call, toolbox } = await worldOf({}, { policy: { deny: ['crm.*'] } });
      const search = () => toolbox.search({ query: 'read' });
      await search();
      await search();
      await call();
      expect((await search()).notice).not.toContain('in a row');
      await search();
      expect((await search()).notice).toContain('in a row');
    },
  ],
  [
    'the gate decides',
    'the caller confirms',
    async () => {
      const confirm = jest.fn(refused);
      const { call } = await worldOf({}, { policy: { deny: ['crm.*'] } });
      expect(codeOf(await call({}, { confirm }))).toBe('TOOL_NOT_AVAILABLE');
      expect(confirm).not.toHaveBeenCalled();
    },
  ],
  [
    'a second person approves all calls',
    'the caller confirms',
    async () => {
      const confirm = jest.fn(refused);
      const { call } = await worldOf({}, { policy: { approval: [{ tools: 'crm.*', scope: 'session' }] } });
      expect(codeOf(await call({}, { confirm }))).toBe('APPROVAL_REQUIRED');
      expect(confirm).not.toHaveBeenCalled();
    },
  ],
  [
    'the caller confirms',
    'the tool is activated',
    async () => {
      const { call, active } = await worldOf();
      expect(await call({}, { confirm: refused })).toMatchObject({ message: 'The user said no.' });
      expect(await active()).toEqual([]);
    },
  ],
  [
    'the tool is activated',
    'its arguments are checked',
    async () => {
      const { call, active } = await worldOf();
      expect(codeOf(await call(WRONG))).toBe('INVALID_ARGUMENTS');
      expect(await active()).toEqual(['crm.read']);
    },
  ],
  [
    'the tool is activated',
    'its time begins',
    async () => {
      class Full extends MemoryActivationStore {
        override async activate(): Promise<never> {
          return { activated: [], alreadyActive: [], overLimit: ['crm.read'] } as never;
        }
      }
      const { call, eventsOf, source } = await worldOf({}, { store: new Full() });
      expect(codeOf(await call())).toBe('ACTIVATION_LIMIT');
      expect([eventsOf('tool.called'), source.calls]).toEqual([[], []]);
    },
  ],
  [
    'the caller confirms',
    'its time begins',
    async () => {
      const { call } = await worldOf({ timeoutMs: 1000 });
      jest.useFakeTimers();
      const confirm = async () => {
        await jest.advanceTimersByTimeAsync(10_000);
        return undefined;
      };
      expect(codeOf(await call({}, { confirm }).finally(() => jest.useRealTimers()))).toBe('ok');
    },
  ],
  [
    'its time begins',
    'its arguments are checked',
    async () => {
      const validate = async () => {
        await jest.advanceTimersByTimeAsync(10_000);
        return { value: {} };
      };
      const { call, source, eventsOf } = await worldOf({ timeoutMs: 1000, validate });
      jest.useFakeTimers();
      expect(codeOf(await call().finally(() => jest.useRealTimers()))).toBe('TOOL_TIMEOUT');
      expect(source.calls).toEqual([]);
      expect(eventsOf('tool.called')).toMatchObject([{ outcome: 'TOOL_TIMEOUT' }]);
    },
  ],
  [
    'its arguments are checked',
    'limits are taken',
    async () => {
      const { call } = await worldOf({}, { options: { limits: { rules: [ONE] } } });
      expect(codeOf(await call(WRONG))).toBe('INVALID_ARGUMENTS');
      expect([codeOf(await call()), codeOf(await call())]).toEqual(['ok', 'LIMIT_REACHED']);
    },
  ],
  [
    'its arguments are checked',
    'interceptors of the application run',
    async () => {
      const intercept = jest.fn(passOn);
      const { call } = await worldOf({}, { interceptors: [{ intercept }] });
      expect(codeOf(await call(WRONG))).toBe('INVALID_ARGUMENTS');
      expect(intercept).not.toHaveBeenCalled();
    },
  ],
  [
    'interceptors of the application run',
    'limits are taken',
    async () => {
      const refuse = { intercept: () => Promise.reject(new ToolSearchError('CALL_REFUSED', 'No.')) };
      const { call, used } = await worldOf({}, { interceptors: [refuse], options: { limits: { rules: [ONE] } } });
      expect([codeOf(await call()), codeOf(await call())]).toEqual(['CALL_REFUSED', 'CALL_REFUSED']);
      expect(await used('one')).toBe(0);
    },
  ],
  [
    'interceptors of the application run',
    'the gate decides again',
    async () => {
      let turnOff: () => Promise<unknown> = async () => undefined;
      const slow: ToolCallInterceptor = {
        intercept: async (_, next) => {
          await turnOff();
          return next();
        },
      };
      const world = await worldOf({}, { interceptors: [slow] });
      ({ turnOff } = world);
      expect(codeOf(await world.call())).not.toBe('ok');
      expect(world.source.calls).toEqual([]);
    },
  ],
  [
    'interceptors of the application run',
    'a stored result answers',
    async () => {
      let number = 0;
      const count: ToolCallInterceptor = {
        intercept: async (_, next) => {
          await next();
          return { content: [{ type: 'text', text: `call ${(number += 1)}` }] };
        },
      };
      const { call, source } = await worldOf({}, { interceptors: [count], options: { resultCache: STORED } });
      expect([text(await call()), text(await call())]).toEqual(['call 1', 'call 2']);
      expect(source.calls).toHaveLength(1);
    },
  ],
  [
    'an interceptor puts a result in the place of another',
    'it is bounded, redacted and held',
    async () => {
      const redactor = new Redactor();
      const large: ToolCallInterceptor = {
        intercept: () => ({ content: [{ type: 'text', text: 'secret '.repeat(9_000) }] }),
      };
      const { call, toolbox } = await worldOf({}, { interceptors: [large], options: { redaction: { redactor } } });
      const result = await call();
      expect(text(result)).not.toContain('secret');
      expect(result.handle).toBeDefined();
      const whole = await toolbox.call('tool_result', { handle: result.handle, limit: 20 });
      expect(text(whole)).toContain('[gone]');
      expect(text(whole)).not.toContain('secret');
    },
  ],
  [
    'a part of a resource is refused',
    'an interceptor puts a result in the place of another',
    async () => {
      const page = { name: 'page', kind: 'resource', uri: 'doc:///page', run: () => 'x'.repeat(5000) } as const;
      const docs = new FakeSource('docs', [page], { exposes: ['resource'] });
      const replace: ToolCallInterceptor = {
        intercept: async (_, next) => {
          await next();
          return { content: [{ type: 'text', text: 'something whole' }] };
        },
      };
      const { toolbox } = await worldOf(
        {},
        { sources: [docs], interceptors: [replace], options: { calls: { maxResultBytes: 1024 } } },
      );
      expect(await toolbox.items.read('docs.page', {})).toMatchObject({ code: 'UPSTREAM_TOO_LARGE' });
    },
  ],
  [
    'its arguments are checked',
    'a second person is asked for this call',
    async () => {
      const { call, approvals } = await worldOf({}, EACH_CALL);
      expect(codeOf(await call(WRONG))).toBe('INVALID_ARGUMENTS');
      expect(await approvals.list({ limit: 9 })).toEqual([]);
    },
  ],
  [
    'the caller confirms',
    'a second person is asked for this call',
    async () => {
      const { call, approvals } = await worldOf({}, EACH_CALL);
      expect(await call({}, { confirm: refused })).toMatchObject({ message: 'The user said no.' });
      expect(await approvals.list({ limit: 9 })).toEqual([]);
    },
  ],
  [
    'interceptors of the application run',
    'a second person is asked for this call',
    async () => {
      const refuse = { intercept: () => Promise.reject(new ToolSearchError('CALL_REFUSED', 'No.')) };
      const { call, approvals } = await worldOf({}, { ...EACH_CALL, interceptors: [refuse] });
      expect(codeOf(await call())).toBe('CALL_REFUSED');
      expect(await approvals.list({ limit: 9 })).toEqual([]);
    },
  ],
  [
    'a second person is asked for this call',
    'limits are taken',
    async () => {
      const { call, used } = await worldOf({}, { ...EACH_CALL, options: { limits: { rules: [ONE] } } });
      expect([codeOf(await call()), codeOf(await call())]).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);
      expect(await used('one')).toBe(0);
    },
  ],
  [
    'limits are taken',
    'the approval of this call is used up',
    async () => {
      const { call, approved, approvals } = await worldOf({}, { ...EACH_CALL, options: { limits: { rules: [ONE] } } });
      await approved();
      expect(codeOf(await call())).toBe('ok');
      await approved();
      expect(codeOf(await call())).toBe('LIMIT_REACHED');
      expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
    },
  ],
  [
    'a place at the source is free',
    'the approval of this call is used up',
    async () => {
      const { ends, run } = heldTool();
      const { call, approved, approvals, turnOff } = await worldOf(
        { run },
        { ...EACH_CALL, options: { calls: { perSource: { crm: 1 } } } },
      );
      await approved();
      const first = call();
      await settled();
      await approved();
      const second = call();
      await settled();
      await turnOff();
      ends[0]!();
      expect([codeOf(await first), codeOf(await second)]).toEqual(['ok', 'TOOL_NOT_AVAILABLE']);
      expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
    },
  ],
  [
    'a stored result answers',
    'the approval of this call is used up',
    async () => {
      const { call, approved, eventsOf } = await worldOf({}, { ...EACH_CALL, options: { resultCache: STORED } });
      await approved();
      await call();
      await approved();
      expect(codeOf(await call())).toBe('ok');
      expect(eventsOf('approval.used')).toHaveLength(1);
    },
  ],
  [
    'the arguments are checked',
    'rules on arguments decide',
    async () => {
      const { call } = await worldOf({}, { policy: { arguments: [RULE] } });
      expect(codeOf(await call({ id: 'x' }))).toBe('INVALID_ARGUMENTS');
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
    },
  ],
  [
    'the arguments of an interceptor are checked',
    'rules on arguments decide',
    async () => {
      const change: ToolCallInterceptor = { intercept: (_, next) => next({ id: 7, unknown: true }) };
      const { call, source } = await worldOf({}, { policy: { arguments: [RULE] }, interceptors: [change] });
      expect(codeOf(await call({ id: 1 }))).toBe('INVALID_ARGUMENTS');
      expect(source.calls).toEqual([]);
    },
  ],
  [
    'interceptors of the application run',
    'rules on arguments decide',
    async () => {
      const change: ToolCallInterceptor = { intercept: (_, next) => next({ id: 7 }) };
      const { call, source } = await worldOf({}, { policy: { arguments: [RULE] }, interceptors: [change] });
      expect(codeOf(await call({ id: 1 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(source.calls).toEqual([]);
    },
  ],
  [
    'rules on arguments decide',
    'limits are taken',
    async () => {
      const options = { limits: { rules: [ONE] } };
      const { call, used } = await worldOf({}, { policy: { arguments: [RULE] }, options });
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(await used('one')).toBe(0);
    },
  ],
  [
    'rules on arguments decide',
    'a second person is asked for this call',
    async () => {
      const { call, approvals } = await worldOf({}, { policy: { ...EACH_CALL.policy, arguments: [RULE] } });
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(await approvals.list({ limit: 9 })).toEqual([]);
    },
  ],
  [
    'rules on arguments ask for an approval',
    'limits are taken',
    async () => {
      const options = { limits: { rules: [ONE] } };
      const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
      const { call, used } = await worldOf({}, { policy: { arguments: [ASKING] }, options, context });
      expect([codeOf(await call({ id: 7 })), await used('one')]).toEqual(['APPROVAL_REQUIRED', 0]);
      expect([codeOf(await call({ id: 1 })), await used('one')]).toEqual(['ok', 1]);
    },
  ],
  [
    'the arguments are checked',
    'call policies decide',
    async () => {
      const policy = deciding();
      const { call } = await worldOf({}, { callPolicies: [{ policy }] });
      expect(codeOf(await call(WRONG))).toBe('INVALID_ARGUMENTS');
      expect(policy.decide).not.toHaveBeenCalled();
    },
  ],
  [
    'interceptors of the application run',
    'rules on arguments ask for an approval',
    async () => {
      const change: ToolCallInterceptor = { intercept: (_, next) => next({ id: 7 }) };
      const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
      const setup = { policy: { arguments: [ASKING] }, interceptors: [change], context };
      const { call, approvals } = await worldOf({}, setup);
      expect(codeOf(await call({ id: 1 }))).toBe('APPROVAL_REQUIRED');
      const [request] = await approvals.list({ limit: 9 });
      expect(await approvals.argumentsOf(request!)).toBe('id: 7');
    },
  ],
  [
    'rules on arguments ask for an approval',
    'a stored result answers',
    async () => {
      const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
      const { call, policies, source } = await worldOf({}, { options: { resultCache: STORED }, context });
      expect([codeOf(await call({ id: 7 })), codeOf(await call({ id: 7 }))]).toEqual(['ok', 'ok']);
      policies.setTenant('acme', { arguments: [ASKING] });
      expect([codeOf(await call({ id: 7 })), source.calls.length]).toEqual(['APPROVAL_REQUIRED', 1]);
    },
  ],
  [
    'interceptors of the application run',
    'call policies decide',
    async () => {
      const change: ToolCallInterceptor = { intercept: (_, next) => next({ id: 7 }) };
      const { call, source } = await worldOf({}, { callPolicies: [{ policy: deciding() }], interceptors: [change] });
      expect(codeOf(await call({ id: 1 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(source.calls).toEqual([]);
    },
  ],
  [
    'rules on arguments decide',
    'call policies decide',
    async () => {
      const policy = deciding();
      const { call } = await worldOf({}, { policy: { arguments: [RULE] }, callPolicies: [{ policy }] });
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(policy.decide).not.toHaveBeenCalled();
    },
  ],
  [
    'call policies decide',
    'a second person is asked for this call',
    async () => {
      const { call, approvals } = await worldOf({}, { ...EACH_CALL, callPolicies: [{ policy: deciding() }] });
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(await approvals.list({ limit: 9 })).toEqual([]);
    },
  ],
  [
    'call policies decide',
    'one approval is asked for, by rules on arguments too',
    async () => {
      const policy = deciding();
      const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
      const setup = { policy: { arguments: [ASKING] }, callPolicies: [{ policy }], context };
      const { call, approvals, source } = await worldOf({}, setup);
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(await approvals.list({ limit: 9 })).toEqual([]);
      policy.decide.mockReturnValue({ outcome: 'approve', reason: 'somebody looks at it' });
      expect(codeOf(await call({ id: 7 }))).toBe('APPROVAL_REQUIRED');
      const requests = await approvals.list({ limit: 9 });
      expect(requests).toMatchObject([{ rule: 'arguments:asking', covers: 'call' }]);
      await approvals.approve(requests[0]!.id, OLGA);
      expect([codeOf(await call({ id: 7 })), source.calls.length]).toEqual(['ok', 1]);
      expect([codeOf(await call({ id: 7 })), source.calls.length]).toEqual(['APPROVAL_REQUIRED', 1]);
    },
  ],
  [
    'call policies decide',
    'limits are taken',
    async () => {
      const options = { limits: { rules: [ONE] } };
      const { call, used } = await worldOf({}, { callPolicies: [{ policy: deciding() }], options });
      expect(codeOf(await call({ id: 7 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(await used('one')).toBe(0);
    },
  ],
  [
    'call policies decide',
    'a stored result answers',
    async () => {
      const policy = deciding();
      const { call, source } = await worldOf({}, { callPolicies: [{ policy }], options: { resultCache: STORED } });
      expect(codeOf(await call({ id: 1 }))).toBe('ok');
      policy.decide.mockReturnValue({ outcome: 'deny', reason: 'not now' });
      expect(codeOf(await call({ id: 1 }))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect(source.calls).toHaveLength(1);
    },
  ],
  [
    'call policies decide',
    'the gate decides again',
    async () => {
      const policy = deciding();
      const { call, turnOff, source } = await worldOf({}, { callPolicies: [{ policy }] });
      policy.decide.mockImplementation((async () => (await turnOff(), { outcome: 'allow' })) as never);
      expect(codeOf(await call({ id: 1 }))).not.toBe('ok');
      expect(source.calls).toEqual([]);
    },
  ],
  [
    'a place at the source is free',
    'call policies decide again',
    async () => {
      const { ends, run } = heldTool();
      const policy = deciding();
      const { call, source } = await worldOf(
        { run },
        { callPolicies: [{ policy }], options: { calls: { perSource: { crm: 1 } } } },
      );
      const [first, second] = [call({ id: 1 }), call({ id: 2 })];
      await settled();
      policy.decide.mockReturnValue({ outcome: 'deny', reason: 'not now' });
      ends[0]!();
      expect([codeOf(await first), codeOf(await second)]).toEqual(['ok', 'ARGUMENTS_NOT_ALLOWED']);
      expect(source.calls).toHaveLength(1);
    },
  ],
  [
    'call policies decide again',
    'a stored result counts in its limits',
    async () => {
      const policy = deciding();
      const options = { resultCache: STORED, limits: { rules: [MANY] } };
      const { call, source, used } = await worldOf({}, { callPolicies: [{ policy }], options });
      expect([codeOf(await call()), codeOf(await call()), await used('many')]).toEqual(['ok', 'ok', 2]);
      let now = performance.now();
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
      const decidesSlowly = (): CallPolicyAnswer => {
        now += 5000;
        return { outcome: 'allow' };
      };
      policy.decide.mockReturnValue({ outcome: 'deny', reason: 'not now' }).mockImplementationOnce(decidesSlowly);
      expect(codeOf(await call().finally(() => clock.mockRestore()))).toBe('ARGUMENTS_NOT_ALLOWED');
      expect([source.calls.length, await used('many')]).toEqual([1, 2]);
    },
  ],
  [
    'call policies decide again',
    'the approval of this call is used up',
    async () => {
      const { ends, run } = heldTool();
      const policy = deciding();
      const { call, approved, approvals } = await worldOf(
        { run },
        { ...EACH_CALL, callPolicies: [{ policy }], options: { calls: { perSource: { crm: 1 } } } },
      );
      await approved();
      const first = call();
      await settled();
      await approved();
      const second = call();
      await settled();
      policy.decide.mockReturnValue({ outcome: 'deny', reason: 'not now' });
      ends[0]!();
      expect([codeOf(await first), codeOf(await second)]).toEqual(['ok', 'ARGUMENTS_NOT_ALLOWED']);
      expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
    },
  ],
  [
    'limits are taken',
    'the gate decides again',
    async () => {
      let turnOff: () => Promise<unknown> = async () => undefined;
      class Slow extends MemoryLimitStore {
        override update<T>(keys: readonly string[], change: CounterChange<T>, tenantId?: string): T {
          const answer = super.update(keys, change, tenantId);
          return turnOff().then(() => answer) as T;
        }
      }
      const world = await worldOf({}, { limitStore: new Slow(), options: { limits: { rules: [ONE] } } });
      turnOff = () => ((turnOff = async () => undefined), world.turnOff());
      expect(codeOf(await world.call())).toBe('TOOL_NOT_AVAILABLE');
      expect(world.source.calls).toEqual([]);
      // What was taken is given back.
      expect(await world.used('one')).toBe(0);
    },
  ],
  [
    'the gate decides again',
    'a stored result answers',
    async () => {
      const { call, turnOff, source } = await worldOf({}, { options: { resultCache: STORED } });
      expect(codeOf(await call())).toBe('ok');
      expect(codeOf(await call())).toBe('ok');
      expect(source.calls).toHaveLength(1);
      const confirm = async () => {
        await turnOff();
        return undefined;
      };
      expect(codeOf(await call({}, { confirm }))).toBe('TOOL_NOT_AVAILABLE');
    },
  ],
  [
    'a place at the source is free',
    'the gate decides once more',
    async () => {
      const { ends, run } = heldTool();
      const redactor = new Redactor();
      const { call, turnOff, source } = await worldOf(
        { run },
        { options: { calls: { perSource: { crm: 1 } }, redaction: { redactor } } },
      );
      const [first, second] = [call(), call()];
      await settled();
      await turnOff();
      ends[0]!();
      await first;
      expect(await second).toMatchObject({ code: 'TOOL_NOT_AVAILABLE', message: 'This tool is not available.' });
      expect(source.calls).toHaveLength(1);
      // Words of the library are not read for secrets.
      expect(redactor.given).toEqual(['secret done']);
    },
  ],
  [
    'a place at the source is free',
    'the call counts in its limits',
    async () => {
      const { ends, run } = heldTool();
      const { call, used } = await worldOf(
        { run },
        { options: { calls: { perSource: { crm: 1 } }, limits: { rules: [MANY] } } },
      );
      const abort = new AbortController();
      const first = call();
      const second = call({}, { signal: abort.signal });
      await settled();
      expect(await used('many')).toBe(2);
      abort.abort();
      expect(codeOf(await second)).toBe('TOOL_CANCELLED');
      expect(await used('many')).toBe(1);
      ends[0]!();
      await first;
      expect(await used('many')).toBe(1);
    },
  ],
  [
    'a result is bounded',
    'it is redacted',
    async () => {
      const redactor = new Redactor();
      const { call } = await worldOf(
        { run: () => 'x'.repeat(5000) },
        { options: { calls: { maxResultBytes: 1024 }, redaction: { redactor } } },
      );
      expect(await call()).toMatchObject({ ok: true, truncated: true });
      expect(redactor.given.map(({ length }) => length)).toEqual([1024]);
    },
  ],
  [
    'a result is redacted',
    'it is stored',
    async () => {
      const redactor = new Redactor();
      const { call } = await worldOf(
        { run: () => 'a secret' },
        { options: { resultCache: STORED, redaction: { redactor } } },
      );
      expect([text(await call()), text(await call())]).toEqual(['a [gone]', 'a [gone]']);
      expect(redactor.given).toEqual(['a secret']);
    },
  ],
  [
    'the words of an error are redacted',
    'anybody has them',
    async () => {
      const run = () => {
        throw new ToolSearchError('UPSTREAM_INVALID', 'a secret', { cause: new Error('why') });
      };
      const { call, faults } = await worldOf({ run }, { options: { redaction: { redactor: new Redactor() } } });
      expect(await call()).toMatchObject({ code: 'UPSTREAM_INVALID', message: 'a [gone]' });
      expect(faults).toMatchObject([{ tool: 'crm.read', error: { message: 'a secret' } }]);
    },
  ],
  [
    'an equal call has failed',
    'the words of its error are redacted for each caller',
    async () => {
      const fails: (() => void)[] = [];
      const error = new ToolSearchError('UPSTREAM_INVALID', 'a secret');
      const run = () => new Promise<string>((_, reject) => fails.push(() => reject(error)));
      const { call, source } = await worldOf(
        { run },
        { options: { resultCache: STORED, redaction: { redactor: new Redactor() } } },
      );
      const abort = new AbortController();
      const [first, second] = [call({}, { signal: abort.signal }), call()];
      await settled();
      // Nobody redacts for a caller that has left; the other one still waits.
      abort.abort();
      expect(codeOf(await first)).toBe('TOOL_CANCELLED');
      fails[0]!();
      expect(await second).toMatchObject({ code: 'UPSTREAM_INVALID', message: 'a [gone]' });
      expect(source.calls).toHaveLength(1);
    },
  ],
  [
    'a result is redacted',
    'the whole of it is held',
    async () => {
      const { call, toolbox } = await worldOf(
        { run: () => ({ items: Array.from({ length: 4000 }, (_, id) => `a secret ${id}`) }) },
        { options: { redaction: { redactor: new Redactor() } } },
      );
      const { handle } = await call();
      expect(text(await toolbox.call('tool_result', { handle, pointer: '/items/3999' }))).toContain('a [gone] 3999');
    },
  ],
  [
    'a result is shortened',
    'it is marked',
    async () => {
      const { call } = await worldOf({ run: () => 'line\n'.repeat(20_000) }, { options: { untrusted: ['crm.*'] } });
      const result = await call();
      expect(result.handle).toBeDefined();
      expect(text(result)).toMatch(/^Everything inside <data-(\w+)> [\s\S]*<\/data-\1>$/);
    },
  ],
  [
    'a result is marked',
    'its limits are settled',
    async () => {
      const counted: ToolResult[] = [];
      const cost = { cents: { bound: () => 5, of: (_: unknown, result: ToolResult) => counted.push(result) } };
      const rules = [{ id: 'money', budget: { of: 'cents', max: 99, every: 'day' as const } }];
      const { call } = await worldOf(
        { run: () => 'a secret' },
        { options: { untrusted: ['crm.*'], limits: { rules, cost }, redaction: { redactor: new Redactor() } } },
      );
      const result = await call();
      expect(text(result)).toContain('a [gone]\n</data-');
      expect(counted.map(text)).toEqual([text(result)]);
    },
  ],
  [
    'its limits are settled',
    'the caller has the result',
    async () => {
      const { call } = await worldOf({}, { limitStore: new SlowLimits(), options: { limits: { rules: [ALONE] } } });
      for (let n = 0; n < 3; n++) expect(codeOf(await call())).toBe('ok');
    },
  ],
  [
    'its limits are settled',
    'tool.called is emitted',
    async () => {
      const { call, used, events } = await worldOf(
        {},
        { limitStore: new SlowLimits(), options: { limits: { rules: [ALONE] } } },
      );
      const running: Promise<number | undefined>[] = [];
      events.on('tool.called', () => void running.push(used('alone')));
      expect(codeOf(await call())).toBe('ok');
      expect(await Promise.all(running)).toEqual([0]);
    },
  ],
  [
    'its limits are settled',
    'the note of the person who approved it is added',
    async () => {
      const rules = [{ id: 'tokens', budget: { of: 'tokens', max: 9999, every: 'day' as const } }];
      const { call, approved, used } = await worldOf({}, { ...EACH_CALL, options: { limits: { rules } } });
      await approved();
      expect(await call()).not.toHaveProperty('note');
      const withoutNote = (await used('tokens')) ?? 0;
      expect(withoutNote).toBeGreaterThan(0);
      await approved('Tell the customer that it takes two days.');
      expect(await call()).toMatchObject({ ok: true, note: expect.stringContaining('two days') });
      expect(await used('tokens')).toBe(2 * withoutNote);
    },
  ],
  [
    'the tool runs',
    'the search that found it is learned',
    async () => {
      let isDown = true;
      const run = () => (isDown ? Promise.reject(new Error('down')) : 'done');
      const { call, toolbox, learned } = await worldOf(
        { run },
        { options: { search: { learning: { from: 'tenant' } } } },
      );
      await toolbox.search({ query: 'read' });
      expect(codeOf(await call())).not.toBe('ok');
      expect(await learned.list('acme')).toEqual([]);
      isDown = false;
      expect(codeOf(await call())).toBe('ok');
      expect(await learned.list('acme')).toMatchObject([{ tool: 'crm.read', query: 'read' }]);
    },
  ],
  [
    'a result is marked',
    'it is recorded',
    async () => {
      const { call, rows } = await worldOf({ run: () => 'done' }, { options: { untrusted: ['crm.*'] } });
      const result = await call();
      expect(await rows()).toMatchObject([{ outcome: 'ok', resultBytes: text(result).length }]);
    },
  ],
  [
    'a call has failed',
    'its hints name the meta tools of the model',
    async () => {
      const { toolbox } = await worldOf(
        {},
        { options: { exposure: { mode: 'deferred', metaTools: { search: 'find' } } } },
      );
      expect(await toolbox.call('crm.none', {})).toMatchObject({ hint: expect.stringContaining('Use find to find') });
    },
  ],
];

it.each(ORDER)('%s before %s', async (_first, _then, proof) => proof());
