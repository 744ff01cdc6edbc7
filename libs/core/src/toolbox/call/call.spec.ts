import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../../testing/open-toolbox.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvent } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import type { ResultRedactor } from '../results/redaction/result-redactor.js';
import { Toolbox } from '../toolbox.js';
import type { CallOptions } from './call-options.js';

const CONTEXT: ToolContext = { tenantId: 'acme', runId: 'r1' };
const SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false };

const worlds: OpenToolbox[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

/** A toolbox with one source. */
async function opened(source: FakeSource, maxResultBytes = 1_048_576, redactor?: ResultRedactor) {
  const happened: ToolEvent[] = [];
  const faults: unknown[] = [];
  const world = await openToolbox({
    sources: [source],
    options: {
      exposure: 'all',
      calls: { maxResultBytes },
      results: false,
      record: false,
      ...(redactor && { redaction: { redactor } }),
    },
  });
  worlds.push(world);
  world.events.on('*', (event) => void happened.push(event));
  const reportFault = (_: string, error: unknown) => void faults.push(error);
  const toolbox = new Toolbox({ ...world, reportFault }, () => CONTEXT);
  const run = (input: unknown = {}, options: CallOptions = {}) => toolbox.call('crm.read', input, options);
  return { run, source, happened, faults };
}

/** One tool, ready to run. */
function runnable(tool: Omit<FakeSourceTool, 'name'>, maxResultBytes?: number, redactor?: ResultRedactor) {
  return opened(new FakeSource('crm', [{ name: 'read', inputSchema: SCHEMA, ...tool }]), maxResultBytes, redactor);
}

describe('a call', () => {
  it('hands validated arguments, the context and the call to the source, and its answer back', async () => {
    const seen: { input?: unknown; context?: ToolContext; call?: ToolCall } = {};
    const { run } = await runnable({
      run: (input, context, call) => {
        Object.assign(seen, { input, context, call });
        return { found: 7 };
      },
    });
    const before = Date.now();
    expect(await run({ id: 1 }, { callId: 'c1' })).toEqual({
      ok: true,
      content: [{ type: 'text', text: '{"found":7}' }],
      structured: { found: 7 },
    });
    expect(seen.input).toEqual({ id: 1 });
    expect(seen.context).toBe(CONTEXT);
    expect(seen.call).toMatchObject({ id: 'c1' });
    expect(seen.call!.deadline - before).toBeGreaterThanOrEqual(30_000);
    expect(seen.call!.signal.aborted).toBe(false);
  });

  it('has a turn of the event loop to itself for large arguments, and none for small ones', async () => {
    let turn = 0;
    let isOver = false;
    const turns: number[] = [];
    const { run } = await runnable({ inputSchema: { type: 'object' }, run: () => void turns.push(turn) });
    const tick = () => void ((turn += 1), isOver || setImmediate(tick));
    setImmediate(tick);
    await Promise.all(Array.from({ length: 10 }, () => run({ list: Array.from({ length: 1_000 }, (_, i) => i) })));
    expect(new Set(turns).size).toBe(10);
    await Promise.all(Array.from({ length: 10 }, () => run({ list: [1] })));
    isOver = true;
    expect(new Set(turns.slice(10)).size).toBe(1);
  });

  it('has an id of its own unless the caller names one', async () => {
    const ids: string[] = [];
    const { run } = await runnable({ run: (_, __, { id }) => void ids.push(id) });
    await Promise.all([run(), run(), run({}, { callId: 'mine' })]);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain('mine');
  });

  it('reports how it went, without arguments or results', async () => {
    const { run, happened } = await runnable({ run: ({ id }) => (id === 1 ? 'secret result' : JSON.parse('{')) });
    await run({ id: 1 }, { callId: 'a' });
    await run({ id: 2 }, { callId: 'b' });
    await run({ id: 'x' }, { callId: 'c' });
    expect(happened).toEqual(
      [
        ['a', 'ok'],
        ['b', 'TOOL_FAILED'],
        ['c', 'INVALID_ARGUMENTS'],
      ].map(([callId, outcome]) => ({
        type: 'tool.called',
        at: expect.any(Number),
        tenantId: 'acme',
        runId: 'r1',
        tool: 'crm.read',
        ms: expect.any(Number),
        callId,
        outcome,
      })),
    );
  });

  it('does not reach the source with arguments that do not fit', async () => {
    const { run, source } = await runnable({});
    const wrong = [{ id: '5' }, { id: 5.5 }, { other: 1 }, null, [], 'x', 7, { id: Infinity }];
    for (const input of wrong) {
      expect(await run(input)).toMatchObject({
        ok: false,
        code: 'INVALID_ARGUMENTS',
        hint: expect.stringMatching(/.+/),
      });
    }
    expect(source.calls).toEqual([]);
  });

  it('hands on what an own validator made of the arguments', async () => {
    const { run, source } = await runnable({ validate: async (input) => ({ value: { from: input, unit: 'kg' } }) });
    await run({ id: 1 });
    expect(source.calls[0]!.input).toEqual({ from: { id: 1 }, unit: 'kg' });
  });

  it('passes no object on that shares structure with the caller’s', async () => {
    const { run, source } = await runnable({ inputSchema: { type: 'object' } });
    const input = { list: [1] };
    await run(input);
    input.list.push(2);
    expect(source.calls[0]!.input).toEqual({ list: [1] });
  });
});

describe('a tool that fails', () => {
  it('keeps its words to itself; the operator gets them', async () => {
    const { run, faults } = await runnable({
      run: () => {
        throw new Error('connect postgres://admin:hunter2@db');
      },
    });
    const result = await run();
    expect(result).toMatchObject({ ok: false, code: 'TOOL_FAILED', message: 'crm.read failed.' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(faults).toEqual([new Error('connect postgres://admin:hunter2@db')]);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'hunter2'],
    ['an object', { message: 'hunter2' }],
  ])('may throw %s', async (_, thrown) => {
    const { run } = await runnable({ run: () => Promise.reject(thrown) });
    const result = await run();
    expect(result).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('may say it with one of our errors', async () => {
    const { run, faults } = await runnable({
      run: () =>
        Promise.reject(new ToolSearchError('SOURCE_UNAVAILABLE', 'crm is down.', { hint: 'Later.', cause: 'hunter2' })),
    });
    expect(await run()).toEqual({ ok: false, code: 'SOURCE_UNAVAILABLE', message: 'crm is down.', hint: 'Later.' });
    expect(faults).toEqual([expect.objectContaining({ code: 'SOURCE_UNAVAILABLE' })]);
  });

  it('may return its own error text to the model', async () => {
    const content = [{ type: 'text', text: 'No customer 7.' }];
    const { run } = await runnable({ run: () => ({ content, isError: true }) });
    expect(await run()).toMatchObject({
      ok: false,
      code: 'TOOL_FAILED',
      content,
      hint: expect.stringContaining('content'),
    });
  });

  it.each([
    ['no content', {}],
    ['content that is no list', { content: 'x' }],
    ['a block that is null', { content: [null] }],
    ['a block without a type', { content: ['x'] }],
    ['structured content that is no JSON', { content: [], structured: 1n }],
  ])('fails also by answering with %s', async (_, answer) => {
    class Careless extends FakeSource {
      override async call() {
        return answer as never;
      }
    }
    const { run } = await opened(new Careless('crm', ['read']));
    expect(await run()).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
  });
});

describe('the deadline', () => {
  afterEach(() => jest.useRealTimers());
  const forever = () => new Promise<never>(() => undefined);

  it('aborts a tool that takes too long, and warns that it may have had an effect', async () => {
    let signal: AbortSignal | undefined;
    const { run, faults } = await runnable({
      timeoutMs: 1000,
      run: (_, __, call) => {
        ({ signal } = call);
        return forever();
      },
    });
    jest.useFakeTimers();
    const running = run();
    await jest.advanceTimersByTimeAsync(999);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await running).toEqual({
      ok: false,
      code: 'TOOL_TIMEOUT',
      message: 'crm.read did not answer within 1000 ms. It may have taken effect.',
      hint: 'Check the state before you call it again.',
    });
    expect([signal?.aborted, faults]).toEqual([true, []]);
  });

  it('includes the check of the arguments, when the tool has not run yet', async () => {
    const { run, source } = await runnable({ timeoutMs: 1000, validate: forever });
    jest.useFakeTimers();
    const running = run();
    await jest.advanceTimersByTimeAsync(1000);
    const result = await running;
    expect(result).toMatchObject({ code: 'TOOL_TIMEOUT', hint: expect.stringContaining('Nothing has happened') });
    expect(JSON.stringify(result)).not.toContain('may have taken effect');
    expect(source.calls).toEqual([]);
  });

  it('discards what comes later: an answer, an error, progress', async () => {
    let finish: (how: 'answer' | 'error') => void = () => undefined;
    let progress: ToolCall['progress'] = () => undefined;
    const updates: unknown[] = [];
    const { run, happened, faults } = await runnable({
      timeoutMs: 1000,
      run: (_, __, call) => {
        progress = (update) => call.progress(update);
        return new Promise((resolve, reject) => {
          finish = (how) => (how === 'answer' ? resolve('late') : reject(new Error('late')));
        });
      },
    });
    jest.useFakeTimers();
    for (const how of ['answer', 'error'] as const) {
      const running = run({}, { onProgress: (update) => void updates.push(update) });
      await jest.advanceTimersByTimeAsync(1000);
      expect(await running).toMatchObject({ code: 'TOOL_TIMEOUT' });
      finish(how);
      progress({ progress: 1 });
      await jest.advanceTimersByTimeAsync(0);
    }
    expect([updates, faults, happened.length]).toEqual([[], [], 2]);
  });

  it('leaves no clock running', async () => {
    const { run } = await runnable({ run: ({ id }) => (id === 1 ? 'done' : Promise.reject(new Error('no'))) });
    jest.useFakeTimers();
    await Promise.all([run({ id: 1 }), run({ id: 2 }), run({ id: 'x' })]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a caller that gives up', () => {
  it('is answered at once; the tool is aborted and may have had an effect', async () => {
    const controller = new AbortController();
    let told = false;
    const { run } = await runnable({
      run: (_, __, { signal }) => {
        signal.addEventListener('abort', () => (told = true));
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    expect(await run({}, { signal: controller.signal })).toMatchObject({
      code: 'TOOL_CANCELLED',
      message: 'The call of crm.read was cancelled. It may have taken effect.',
    });
    expect(told).toBe(true);
  });

  it('before the tool has begun, prevents it', async () => {
    const { run, source } = await runnable({});
    const result = await run({}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ code: 'TOOL_CANCELLED', message: 'The call of crm.read was cancelled.' });
    expect(source.calls).toEqual([]);
  });

  it('gets the reason of the cancellation even if the tool throws because of it', async () => {
    const controller = new AbortController();
    const { run, faults } = await runnable({
      run: (_, __, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted by caller')));
          controller.abort();
        }),
    });
    expect(await run({}, { signal: controller.signal })).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(faults).toEqual([]);
  });
});

describe('progress', () => {
  it('reaches the caller while the tool runs, and a listener that throws has no effect', async () => {
    const updates: unknown[] = [];
    let progress: ToolCall['progress'] = () => undefined;
    const { run } = await runnable({
      run: async (_, __, call) => {
        progress = (update) => call.progress(update);
        call.progress({ progress: 1, total: 2 });
        await Promise.resolve();
        call.progress({ progress: 2, total: 2, message: 'nearly' });
        return 'done';
      },
    });
    const throwing = (update: unknown) => {
      updates.push(update);
      throw new Error('no');
    };
    expect(await run({}, { onProgress: throwing })).toMatchObject({ ok: true });
    // The call and its caller have ended.
    progress({ progress: 3 });
    expect(updates).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2, message: 'nearly' },
    ]);
  });
});

describe('the result', () => {
  it('is bounded, and says that it was cut', async () => {
    const { run } = await runnable({ run: () => '😀'.repeat(256) }, 1024);
    expect(await run()).toEqual({ ok: true, content: [{ type: 'text', text: '😀'.repeat(256) }] });
    const { run: runLarge } = await runnable({ run: () => '😀'.repeat(300) }, 1026);
    expect(await runLarge()).toEqual({
      ok: true,
      content: [{ type: 'text', text: '😀'.repeat(256) }],
      truncated: true,
    });
  });

  it('has at most 1 MiB by default, also when the tool reports an error', async () => {
    const long = { content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] };
    const { run } = await runnable({ run: ({ id }) => (id === 1 ? long : { ...long, isError: true }) });
    for (const id of [1, 2]) {
      const { content } = await run({ id });
      expect(content).toEqual([{ type: 'text', text: 'x'.repeat(1_048_576) }]);
    }
  });
});

describe('a call whose result is redacted', () => {
  const redactor: ResultRedactor = { redact: (texts) => texts.map(({ text }) => text.replaceAll('red', '[gone]')) };

  it('returns neither the text nor the words of an error, and says how many texts changed', async () => {
    const { run, happened } = await runnable({ run: () => ({ a: 'red', b: ['red', 'blue'] }) }, undefined, redactor);
    expect(await run()).toEqual({
      ok: true,
      content: [{ type: 'text', text: '{"a":"[gone]","b":["[gone]","blue"]}' }],
      structured: { a: '[gone]', b: ['[gone]', 'blue'] },
    });
    expect(happened).toMatchObject([{ type: 'tool.called', outcome: 'ok', redacted: 4 }]);
    const refusing = () => {
      throw new ToolSearchError('UPSTREAM_INVALID', 'red', { hint: 'also red' });
    };
    expect(await (await runnable({ run: refusing }, undefined, redactor)).run()).toEqual({
      ok: false,
      code: 'UPSTREAM_INVALID',
      message: '[gone]',
      hint: 'also [gone]',
    });
  });

  it('reports progress without words', async () => {
    const updates: unknown[] = [];
    const tool: Omit<FakeSourceTool, 'name'> = {
      run: (_, __, call) => (call.progress({ progress: 1, total: 2, message: 'red' }), 'x'),
    };
    await (await runnable(tool, undefined, redactor)).run({}, { onProgress: (update) => void updates.push(update) });
    await (await runnable(tool)).run({}, { onProgress: (update) => void updates.push(update) });
    expect(updates).toEqual([
      { progress: 1, total: 2 },
      { progress: 1, total: 2, message: 'red' },
    ]);
  });

  it('is withheld if the redactor fails; the operator hears why', async () => {
    const why = new Error('out of order');
    const failing: ResultRedactor = { redact: () => Promise.reject(why) };
    const { run, happened, faults } = await runnable({ run: () => 'red' }, undefined, failing);
    const result = await run();
    expect(result).toMatchObject({ ok: false, code: 'REDACTION_FAILED' });
    expect(JSON.stringify(result)).not.toContain('"red"');
    expect(happened).toMatchObject([{ type: 'tool.called', outcome: 'REDACTION_FAILED' }]);
    expect(faults).toMatchObject([{ code: 'REDACTION_FAILED', cause: why }]);
  });
});

describe('a tool that asks its caller', () => {
  const form = { method: 'elicitation/create', params: { message: 'Which?' } } as const;
  const asking = (requests: object = { city: form }) => ({
    run: async (_: unknown, __: unknown, call: ToolCall) =>
      JSON.stringify([call.asks, await call.ask!(requests as never)]),
  });

  it('gets the answer, and the time that it takes does not count', async () => {
    const { run } = await runnable({ ...asking(), timeoutMs: 1000 });
    jest.useFakeTimers();
    const ask = () =>
      new Promise<object>((resolve) => setTimeout(() => resolve({ city: { action: 'accept' } }), 60_000));
    const result = run({}, { input: { methods: ['elicitation/create'], ask: ask as never } });
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect(await result).toMatchObject({
      ok: true,
      content: [{ text: '[["elicitation/create"],{"city":{"action":"accept"}}]' }],
    });
  });

  it('fails with a code if the caller cannot be asked', async () => {
    const { run } = await runnable(asking());
    expect(await run()).toMatchObject({
      ok: false,
      code: 'INPUT_REQUIRED',
      message: expect.stringContaining('crm.read'),
    });
  });

  it.each([
    ['nothing', {}],
    ['too much', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [index, form]))],
    ['an unknown method', { a: { method: 'tools/call' } }],
    ['very long words', { a: { ...form, params: { message: 'x'.repeat(70_000) } } }],
  ])('is not passed on where it asks for %s', async (_, requests) => {
    const { run } = await runnable(asking(requests));
    const ask = jest.fn();
    expect(await run({}, { input: { methods: ['elicitation/create'], ask } })).toMatchObject({
      code: 'UPSTREAM_INVALID',
    });
    expect(ask).not.toHaveBeenCalled();
  });

  it('is cancelled while it waits', async () => {
    const { run } = await runnable(asking());
    const caller = new AbortController();
    const ask = () => {
      caller.abort();
      return new Promise<never>(() => undefined);
    };
    const result = run({}, { signal: caller.signal, input: { methods: ['elicitation/create'], ask } });
    expect(await result).toMatchObject({ code: 'TOOL_CANCELLED' });
  });
});
