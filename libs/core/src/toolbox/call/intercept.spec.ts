import { setImmediate } from 'node:timers/promises';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type {
  InterceptedCall,
  InterceptedResult,
  NextCall,
  ToolCallInterceptor,
} from '../../tool/tool-call-interceptor.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

const SECRET = 'sk-live-hunter2-Sup3rSecret';
const text = (said: string): InterceptedResult => ({ content: [{ type: 'text', text: said }] });
const textOf = ({ content }: InterceptedResult) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join();
const stage = (intercept: ToolCallInterceptor['intercept']): ToolCallInterceptor => ({ intercept });

const TOOLS: readonly FakeSourceTool[] = [
  {
    name: 'add',
    description: 'Adds.',
    sideEffects: 'read',
    inputSchema: {
      type: 'object',
      properties: { count: { type: 'integer', maximum: 20 }, note: { type: 'string' } },
      required: ['count'],
    },
    aliases: ['shop.plus'],
    run: ({ count }) => ({ count }),
  },
  {
    name: 'broken',
    run: () => {
      throw new Error(SECRET);
    },
  },
  { name: 'unhappy', run: () => ({ ...text('no stock'), isError: true }) },
];

async function shopWith(interceptors: readonly ToolCallInterceptor[], setup: ToolboxSetup = {}) {
  const shop = new FakeSource('shop', TOOLS);
  const world = await openToolbox({ sources: [shop], interceptors, ...setup });
  return { ...world, shop };
}

describe('an interceptor', () => {
  it.each(['tenant id', 'tenant_id'])(
    'sees an argument under the name that models read, also if the caller writes %s',
    async (key) => {
      const seen: unknown[] = [];
      const see = stage((call, next) => {
        seen.push(call.arguments);
        return next({ ...call.arguments, tenant_id: 'acme' });
      });
      const inputSchema = {
        type: 'object',
        properties: { 'tenant id': { type: 'string' } },
        additionalProperties: false,
      };
      const crm = new FakeSource('crm', [{ name: 'find', inputSchema, run: (input) => ({ ...input }) }]);
      const { toolbox } = await openToolbox({ sources: [crm], interceptors: [see] });
      const result = await toolbox.call('crm.find', { [key]: 'other' });
      expect(result).toMatchObject({ ok: true, structured: { 'tenant id': 'acme' } });
      expect(seen).toEqual([{ tenant_id: 'other' }]);
    },
  );

  it.each([
    ['its name', 'shop.add', { count: 3 }],
    ['an alias', 'shop.plus', { count: 3 }],
    ['the bridge', 'tool_call', { name: 'shop.add', arguments: { count: 3 } }],
  ])('sees the call with canonical name, arguments, context and id: by %s', async (_, name, input) => {
    const seen: InterceptedCall[] = [];
    const see = stage((call, next) => {
      seen.push(call);
      return next();
    });
    const { toolbox } = await shopWith([see], { options: { exposure: 'bridge' } });
    const result = await toolbox.call(name, input, { callId: 'call-7' });
    expect(result).toMatchObject({ ok: true, structured: { count: 3 } });
    expect(seen).toEqual([
      {
        id: 'call-7',
        tool: expect.objectContaining({ name: 'shop.add' }),
        arguments: { count: 3 },
        context: expect.objectContaining({ tenantId: 'acme', userId: 'ada' }),
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it('sees names of a provider as canonical names', async () => {
    const seen: string[] = [];
    const see = stage(({ tool }, next) => {
      seen.push(tool.name);
      return next();
    });
    const { toolbox } = await shopWith([see], { options: { exposure: 'bridge' } });
    const naming = {
      shown: (name: string) => name.replaceAll('.', '__'),
      canonical: (name: string) => name.replaceAll('__', '.'),
    };
    await toolbox.call('tool_call', { name: 'shop__add', arguments: { count: 1 } }, { naming });
    expect(seen).toEqual(['shop.add']);
  });

  it('is not asked about meta tools, refused tools and wrong arguments', async () => {
    const seen: string[] = [];
    const see = stage(({ tool }, next) => {
      seen.push(tool.name);
      return next();
    });
    const { toolbox } = await shopWith([see], { policy: { deny: ['shop.broken'] } });
    await toolbox.call('tool_search', { query: 'add' });
    await toolbox.call('tool_get', { names: ['shop.add'] });
    await toolbox.call('shop.broken', {});
    await toolbox.call('shop.none', {});
    await toolbox.call('shop.add', { count: 'three' });
    await (await toolbox.hold('shop.add')).end();
    expect(seen).toEqual([]);
  });

  it('changes the arguments, for those behind it and for the tool, and they are checked again', async () => {
    const seen: unknown[] = [];
    const fill = stage(({ arguments: given, context: { userId = '' } }, next) => next({ ...given, note: userId }));
    const see = stage(({ arguments: given }, next) => {
      seen.push(given);
      return next();
    });
    const { toolbox, shop } = await shopWith([fill, see]);
    expect(await toolbox.call('shop.add', { count: 2 })).toMatchObject({ ok: true });
    expect(seen).toEqual([{ count: 2, note: 'ada' }]);
    expect(shop.calls.map(({ input }) => input)).toEqual([{ count: 2, note: 'ada' }]);
  });

  it.each<[string, unknown, string]>([
    ['that do not fit the schema', { count: 21 }, 'INVALID_ARGUMENTS'],
    ['that are no object', 7, 'INVALID_ARGUMENTS'],
    ['that are null', null, 'INVALID_ARGUMENTS'],
    ['with a key that reaches a prototype', JSON.parse('{"count":1,"__proto__":{}}'), 'INVALID_ARGUMENTS'],
    ['that are too large', { count: 1, note: 'x'.repeat(300_000) }, 'ARGUMENTS_TOO_LARGE'],
  ])('may not change them to arguments %s', async (_, changed, code) => {
    const { toolbox, shop } = await shopWith([stage((__, next) => next(changed as never))]);
    expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({ ok: false, code });
    expect(shop.calls).toEqual([]);
  });

  it('answers in the place of the tool, which then takes no limit', async () => {
    const { toolbox, shop, eventsOf } = await shopWith([stage(() => text('closed on Sundays'))], {
      options: {
        exposure: 'deferred',
        limits: { rules: [{ id: 'one', rate: { calls: 1, window: 'fixed', windowMs: 86_400_000 } }] },
      },
    });
    for (let call = 0; call < 3; call += 1) {
      expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({
        ok: true,
        content: [{ text: 'closed on Sundays' }],
      });
    }
    expect(shop.calls).toEqual([]);
    expect(eventsOf('tool.called').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  it('changes the result, also that of a tool that reports an error', async () => {
    const shout = stage(async (_, next) => {
      const result = await next();
      return { ...text(`${textOf(result)}!`), isError: result.isError === true };
    });
    const { toolbox } = await shopWith([shout]);
    expect(await toolbox.call('shop.add', { count: 2 })).toMatchObject({
      ok: true,
      content: [{ text: '{"count":2}!' }],
    });
    expect(await toolbox.call('shop.unhappy', {})).toMatchObject({
      ok: false,
      code: 'TOOL_FAILED',
      content: [{ text: 'no stock!' }],
    });
  });

  it('goes on after a tool that failed, whose error it reads without the words of the cause', async () => {
    const caught: unknown[] = [];
    const instead = stage(async (_, next) => {
      try {
        return await next();
      } catch (error) {
        caught.push(error);
        return text('nothing today');
      }
    });
    const { toolbox, faults } = await shopWith([instead]);
    expect(await toolbox.call('shop.broken', {})).toMatchObject({ ok: true, content: [{ text: 'nothing today' }] });
    expect(caught).toEqual([expect.objectContaining({ code: 'TOOL_FAILED', message: 'shop.broken failed.' })]);
    expect(JSON.stringify(caught)).not.toContain(SECRET);
    expect(faults).toEqual([{ tool: 'shop.broken', error: expect.objectContaining({ message: SECRET }) }]);
  });

  it('leaves failures of the rest as they are when it passes them on', async () => {
    const plain = await shopWith([]);
    const passing = await shopWith([stage((_, next) => next()), stage(async (_, next) => next())]);
    for (const [name, input] of [
      ['shop.broken', {}],
      ['shop.unhappy', {}],
      ['shop.add', { count: 1 }],
    ] as const) {
      expect(await passing.toolbox.call(name, input)).toEqual(await plain.toolbox.call(name, input));
    }
    expect(passing.faults.length).toBe(1);
  });
});

describe('a refusal by an interceptor', () => {
  const refusing = (
    ...given: ConstructorParameters<typeof ToolSearchError> extends [unknown, ...infer Rest] ? Rest : never
  ) =>
    stage(() => {
      throw new ToolSearchError('CALL_REFUSED', ...given);
    });

  it('has its code and public words, and is recorded', async () => {
    const { toolbox, shop, eventsOf, faults } = await shopWith([
      refusing('Not on Sundays.', { hint: 'Try on Monday.', retryAfterSeconds: 60 }),
    ]);
    expect(await toolbox.call('shop.add', { count: 1 })).toEqual({
      ok: false,
      code: 'CALL_REFUSED',
      message: 'Not on Sundays.',
      hint: 'Try on Monday.',
      retryAfterSeconds: 60,
    });
    expect(shop.calls).toEqual([]);
    expect(faults).toEqual([]);
    expect(eventsOf('tool.called')).toMatchObject([{ tool: 'shop.add', outcome: 'CALL_REFUSED' }]);
  });

  it('is plain text of at most 500 characters', async () => {
    const { toolbox } = await shopWith([refusing(`  a\n\tb\u0000c\u202e${'x'.repeat(600)}`)]);
    const result = await toolbox.call('shop.add', { count: 1 });
    expect(result).toMatchObject({ message: expect.stringMatching(/^a b\ufffdc\ufffdx+$/) });
    expect(!result.ok && result.message.length).toBe(500);
    const wordless = await shopWith([refusing('')]);
    expect(await wordless.toolbox.call('shop.add', { count: 1 })).toMatchObject({
      code: 'CALL_REFUSED',
      message: 'The application refused this call.',
    });
  });

  it('is redacted where the tool is', async () => {
    const redactor = {
      redact: async (texts: readonly { text: string }[]) => texts.map((each) => each.text.replaceAll('ada', '[name]')),
    };
    const { toolbox } = await shopWith([refusing('Not for ada.', { hint: 'Ask someone else than ada.' })], {
      options: { exposure: 'deferred', redaction: { redactor } as never },
    });
    expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({
      message: 'Not for [name].',
      hint: 'Ask someone else than [name].',
    });
  });

  it('may come after the tool has run, and an outer interceptor may answer in its place', async () => {
    const late = stage(async (_, next) => {
      await next();
      throw new ToolSearchError('CALL_REFUSED', 'Too late.');
    });
    const { toolbox, shop } = await shopWith([late]);
    expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({ code: 'CALL_REFUSED', message: 'Too late.' });
    expect(shop.calls).toHaveLength(1);
    const outer = stage((_, next) => next().catch((error: ToolSearchError) => text(`caught ${error.code}`)));
    const caught = await shopWith([outer, late]);
    expect(await caught.toolbox.call('shop.add', { count: 1 })).toMatchObject({
      content: [{ text: 'caught CALL_REFUSED' }],
    });
  });
});

describe('an interceptor that fails', () => {
  const failures: readonly [string, ToolCallInterceptor['intercept'], 'ran'?][] = [
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
    ],
    ['rejects', () => Promise.reject(new TypeError(SECRET))],
    ['throws something else', () => Promise.reject(SECRET as never)],
    [
      'throws a coded error of its own',
      () => Promise.reject(new ToolSearchError('TOOL_FORBIDDEN', SECRET, { hint: SECRET })),
    ],
    ['returns nothing', () => undefined as never],
    ['returns something else', () => ({ said: SECRET }) as never],
    ['returns what is no JSON', () => ({ content: [], structured: 7n }) as never],
    ['returns blocks that are none', () => ({ content: [SECRET] }) as never],
    [
      'wraps the error of the rest',
      (_, next) => next({ count: 99 }).catch((error) => Promise.reject(new Error(SECRET, { cause: error }))),
    ],
    [
      'changes the arguments in place',
      ({ arguments: given }, next) => {
        (given as { count: number }).count = 2;
        return next();
      },
    ],
    [
      'changes the result in place',
      async (_, next) => {
        const result = await next();
        (result.content as unknown[]).push({ type: 'text', text: SECRET });
        return result;
      },
      'ran',
    ],
    [
      'calls next twice',
      async (_, next) => {
        await next();
        return next();
      },
      'ran',
    ],
    ['throws after the tool has run', (_, next) => next().then(() => Promise.reject(new Error(SECRET))), 'ran'],
  ];

  it.each(failures)('ends the call closed, and its words reach the log alone: it %s', async (...row) => {
    const [, intercept, ran] = row;
    const { toolbox, faults, eventsOf } = await shopWith([stage((call, next) => next()), stage(intercept)]);
    const result = await toolbox.call('shop.add', { count: 1 });
    expect(result).toEqual({
      ok: false,
      code: 'INTERNAL',
      message: `The application could not finish this call.${ran ? ' It may have taken effect.' : ''}`,
      // A model that tries again would repeat what the tool did.
      hint: `${ran ? 'Check the state before you call it again' : 'Try again later'}; the operator finds the cause in the log.`,
    });
    expect(faults).toEqual([
      { tool: 'shop.add', error: expect.objectContaining({ message: expect.stringContaining('interceptor') }) },
    ]);
    expect(eventsOf('tool.called')).toMatchObject([{ outcome: 'INTERNAL' }]);
  });
});

describe('what next() gives', () => {
  it('runs the rest once, and not after the interceptor has ended', async () => {
    const kept: NextCall[] = [];
    const { toolbox, shop } = await shopWith([
      stage((_, next) => {
        kept.push(next);
        return text('early');
      }),
    ]);
    expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({ content: [{ text: 'early' }] });
    await expect(kept[0]!()).rejects.toThrow('next() was called after the interceptor had ended');
    expect(shop.calls).toEqual([]);
  });

  it('is waited for even if the interceptor is not interested in it', async () => {
    let finish = () => {};
    let hasRun = false;
    const slow: FakeSourceTool = {
      name: 'slow',
      run: () => new Promise<void>((resolve) => (finish = resolve)).then(() => (hasRun = true)),
    };
    const { toolbox } = await shopWith([stage((_, next) => (void next(), text('early')))], {
      sources: [new FakeSource('shop', [slow])],
    });
    let answered = false;
    const call = toolbox.call('shop.slow', {}).finally(() => (answered = true));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(answered).toBe(false);
    finish();
    expect(await call).toMatchObject({ content: [{ text: 'early' }] });
    expect(hasRun).toBe(true);
  });

  it('does not end the process where nobody waits for a rest that fails', async () => {
    const { toolbox } = await shopWith([stage((_, next) => (void next(), text('early')))]);
    expect(await toolbox.call('shop.broken', {})).toMatchObject({ content: [{ text: 'early' }] });
    await setImmediate();
  });
});

describe('the result of an interceptor', () => {
  it('is bounded like that of a tool', async () => {
    const { toolbox } = await shopWith([stage(() => text('x'.repeat(5_000)))], {
      options: { exposure: 'deferred', calls: { maxResultBytes: 1_024 } },
    });
    const result = await toolbox.call('shop.add', { count: 1 });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.ok && textOf(result)).toBe('x'.repeat(1_024));
  });

  it.each([
    ['is redacted if it differs', (_: unknown, next: NextCall) => next().then((result) => ({ ...result })), 2],
    ['is not redacted again if it is the one that next() gave', (_: unknown, next: NextCall) => next(), 1],
  ])('%s', async (_, intercept, times) => {
    let redactions = 0;
    const redactor = {
      redact: async (texts: readonly { text: string }[]) => {
        redactions += 1;
        return texts.map((each) => each.text.replaceAll('ada', '[name]'));
      },
    };
    const { toolbox, eventsOf } = await shopWith([stage(intercept)], {
      sources: [new FakeSource('shop', [{ name: 'who', run: () => 'ada and ada' }])],
      options: { exposure: 'deferred', redaction: { redactor } as never },
    });
    expect(await toolbox.call('shop.who', {})).toMatchObject({ content: [{ text: '[name] and [name]' }] });
    expect(redactions).toBe(times);
    expect(eventsOf('tool.called')).toMatchObject([{ redacted: 1 }]);
  });

  it('is whole where only the result before it was cut', async () => {
    const redactor = { redact: async (texts: readonly { text: string }[]) => texts.map((each) => each.text) };
    const long = new FakeSource('shop', [{ name: 'long', run: () => 'x'.repeat(5_000) }]);
    const added = stage(async (_, next) => {
      const result = await next();
      return { ...result, content: [{ type: 'text', text: 'Checked by compliance.' }] };
    });
    const { toolbox } = await openToolbox({
      sources: [long],
      interceptors: [added],
      options: { results: false, calls: { maxResultBytes: 2_000 }, redaction: { redactor } as never },
    });
    const result = await toolbox.call('shop.long', {});
    expect(result).toMatchObject({ truncated: true, content: [{ text: 'Checked by compliance.' }] });
  });

  it('is neither stored nor shared, and interceptors run where a stored result answers', async () => {
    const options = {
      exposure: 'deferred',
      resultCache: { tools: [{ match: ['shop.add'], ttlMs: 60_000, shared: 'tenant' }] },
    } as const;
    const seen: unknown[] = [];
    const sign = stage(async ({ context }, next) => {
      const result = await next();
      seen.push(result.structured);
      return { ...result, structured: { for: context.userId ?? '' } };
    });
    const { open, eventsOf, shop } = await shopWith([sign], { options });
    for (const userId of ['ada', 'ada', 'bob']) {
      expect(await open({ userId }).call('shop.add', { count: 4 })).toMatchObject({ structured: { for: userId } });
    }
    expect(seen).toEqual([{ count: 4 }, { count: 4 }, { count: 4 }]);
    expect(eventsOf('tool.called').filter(({ cached }) => cached).length).toBeGreaterThan(0);
    expect(shop.calls).toHaveLength(1);
  });

  it('is shared by none of the calls that wait for one answer', async () => {
    let finish: () => void = () => undefined;
    const open$ = new Promise<void>((resolve) => (finish = resolve));
    const rate = { name: 'rate', sideEffects: 'read', run: () => open$.then(() => ({ rate: 7 })) } as const;
    const source = new FakeSource('shop', [rate]);
    const options = {
      exposure: 'deferred',
      resultCache: { tools: [{ match: ['shop.rate'], ttlMs: 60_000 }] },
    } as const;
    let number = 0;
    const sign = stage(async (_, next) => {
      const own = (number += 1);
      return { ...(await next()), structured: { own } };
    });
    const { toolbox } = await shopWith([sign], { sources: [source], options });
    const calls = [1, 2, 3].map(() => toolbox.call('shop.rate', {}));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    finish();
    expect(await Promise.all(calls)).toMatchObject([1, 2, 3].map((own) => ({ structured: { own } })));
    expect(source.calls).toHaveLength(1);
  });

  it('keeps no output schema of the tool', async () => {
    const outputSchema = { type: 'object', properties: { count: { type: 'number' } } } as const;
    const sources = [new FakeSource('shop', [{ name: 'stock', outputSchema, run: () => ({ count: 1 }) }])];
    const schemaIn = async (interceptors: readonly ToolCallInterceptor[]) => {
      const { toolbox } = await shopWith(interceptors, { sources, options: { exposure: 'all', results: false } });
      return toolbox.outputSchemaOf((await toolbox.visible())[0]!);
    };
    expect(await schemaIn([])).toEqual(outputSchema);
    expect(await schemaIn([stage((_, next) => next())])).toBeUndefined();
  });
});

describe('the time of an interceptor', () => {
  it('is that of the call, whose signal reaches it', async () => {
    let signal: AbortSignal | undefined;
    const hang = stage((call) => {
      ({ signal } = call);
      return new Promise<never>(() => undefined);
    });
    const sources = [new FakeSource('shop', TOOLS, { callTimeoutMs: 30 })];
    const { toolbox } = await shopWith([hang], { sources });
    expect(await toolbox.call('shop.add', { count: 1 })).toMatchObject({
      code: 'TOOL_TIMEOUT',
      hint: expect.stringContaining('Nothing has happened'),
    });
    expect(signal?.aborted).toBe(true);
  });

  it('ends where the interceptor has an answer, and what it began has not', async () => {
    const never: FakeSourceTool = { name: 'never', run: () => new Promise(() => undefined) };
    const sources = [new FakeSource('shop', [never], { callTimeoutMs: 30 })];
    const { toolbox, faults } = await shopWith([stage((_, next) => (void next(), text('early')))], { sources });
    expect(await toolbox.call('shop.never', {})).toMatchObject({ code: 'TOOL_TIMEOUT' });
    expect(faults).toEqual([]);
  });

  it('ends when the caller gives up; what it throws then is not a fault', async () => {
    const controller = new AbortController();
    const wait = stage(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('I was waiting')));
          controller.abort();
        }),
    );
    const { toolbox, faults } = await shopWith([wait]);
    const result = await toolbox.call('shop.add', { count: 1 }, { signal: controller.signal });
    expect(result).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(faults).toEqual([]);
  });
});
