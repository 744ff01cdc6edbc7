import { type OpenToolbox, openToolbox } from '@tool-search/core/testing';
import { dynamicTool, generateText, jsonSchema, stepCountIs, tool, type ToolSet, zodSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { aiSdk, AiSdkSource } from '../ai-sdk.js';
import type { AiSdkSourceOptions } from './ai-sdk-source-options.js';

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string(), days: z.number().int().default(1) }),
  execute: async ({ city, days }) => ({ city, days, sky: 'clear' }),
});

/** The weather tool with some properties replaced. */
const like = (of: object) => ({ ...weather, ...of }) as ToolSet[string];

let world: OpenToolbox;
afterEach(() => world?.close());

const open = async (tools: AiSdkSourceOptions['tools'], of: Partial<AiSdkSourceOptions> = {}) => {
  const source = new AiSdkSource({ name: 'own', tools, ...of });
  world = await openToolbox({
    sources: [source],
    options: { exposure: 'deferred', tuning: { catalog: { refreshEveryMs: 1 } } },
  });
  return { source, toolbox: world.toolbox };
};
const refused = () => Object.fromEntries(world.catalog.sources()[0]!.refused.map(({ name, reason }) => [name, reason]));
const names = async () => (await world.toolbox.visible()).map(({ name }) => name);

describe('AiSdkSource', () => {
  it('makes existing tools deferred ones, which a model of the SDK finds and calls', async () => {
    const { toolbox } = await open({
      weather,
      translate: like({ description: 'Translates a text.', inputSchema: z.object({ text: z.string() }) }),
    });
    const model = script(
      [['tool_search', { query: 'weather in a city' }]],
      [['own__weather', { city: 'Oslo' }]],
      'It is clear.',
    );
    const { text } = await generateText({
      model,
      prompt: 'How is the weather in Oslo?',
      stopWhen: stepCountIs(5),
      ...(await aiSdk(toolbox)),
    });

    expect(text).toBe('It is clear.');
    const listed = model.doGenerateCalls.map(({ tools }) => (tools ?? []).map(({ name }) => name));
    expect(listed).toEqual([
      ['tool_search', 'tool_get'],
      ['tool_search', 'tool_get', 'own__weather'],
      ['tool_search', 'tool_get', 'own__weather'],
    ]);
    const shown = model.doGenerateCalls.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    expect(shown?.at(-1)).toMatchObject({
      output: { type: 'text', value: '{"city":"Oslo","days":1,"sky":"clear"}' },
    });
  });

  it('takes the metadata of a tool, and the overrides of the application', async () => {
    const { toolbox } = await open(
      { weather: like({ title: 'Weather', inputExamples: [{ input: { city: 'Rome', days: 2 } }] }) },
      {
        namespace: 'sky',
        description: 'Everything about the sky.',
        tags: ['public'],
        details: { weather: { tags: ['slow'], sideEffects: 'read', exampleQueries: ['do I need an umbrella'] } },
      },
    );
    expect((await toolbox.visible())[0]).toMatchObject({
      name: 'sky.weather',
      title: 'Weather',
      description: 'The weather in a city.',
      loading: 'deferred',
      tags: ['public', 'slow'],
      sideEffects: 'read',
      examples: [{ args: { city: 'Rome', days: 2 } }],
      sourceDescription: 'Everything about the sky.',
    });
    const { tools } = await toolbox.search({ query: 'umbrella' });
    expect(tools.map(({ name }) => name)).toEqual(['sky.weather']);
  });

  describe('schemas', () => {
    const Args = z.object({ n: z.string().transform(Number) });
    it.each<[string, ToolSet[string]['inputSchema'], unknown, unknown]>([
      ['zod', Args, { n: '3' }, { n: 3 }],
      ['zodSchema()', zodSchema(Args), { n: '3' }, { n: 3 }],
      ['a lazy one', () => zodSchema(Args), { n: '3' }, { n: 3 }],
      [
        'Standard Schema',
        { '~standard': { ...Args['~standard'], vendor: 'other' } } as typeof Args,
        { n: '3' },
        { n: 3 },
      ],
      [
        'jsonSchema()',
        jsonSchema({ type: 'object', properties: { n: { type: 'string' } }, required: ['n'] }),
        { n: '3' },
        { n: '3' },
      ],
      [
        'jsonSchema() that is awaited and checks itself',
        jsonSchema(async () => ({ properties: { n: { type: 'string' } } }), {
          validate: (value) =>
            (value as { n: unknown }).n === '3'
              ? { success: true, value: { n: 3 } }
              : { success: false, error: new Error(`secret ${JSON.stringify(value)}`) },
        }),
        { n: '3' },
        { n: 3 },
      ],
    ])('checks and converts by %s', async (_, inputSchema, input, seen) => {
      const got: unknown[] = [];
      const { toolbox } = await open({
        own: dynamicTool({
          description: 'Takes n.',
          inputSchema: inputSchema as z.ZodType,
          execute: async (args) => void got.push(args),
        }),
      });
      expect(refused()).toEqual({});
      expect((await toolbox.visible())[0]?.inputSchema).toMatchObject({
        type: 'object',
        properties: { n: { type: 'string' } },
      });
      expect(await toolbox.call('own.own', input)).toMatchObject({ ok: true });
      const faulty = await toolbox.call('own.own', { n: 12345 });
      expect(faulty).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
      expect(JSON.stringify(faulty)).not.toMatch(/12345|secret/);
      expect(got).toEqual([seen]);
    });

    it('says where arguments do not fit, as for other tools', async () => {
      const { toolbox } = await open({ weather });
      expect(await toolbox.call('own.weather', { city: 'Oslo', days: 1.5 })).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: expect.stringContaining('/days'),
      });
    });
  });

  describe('what cannot run here as it would there', () => {
    const { execute: _execute, ...clientSide } = weather;
    const silent = like({ description: undefined });
    const approving = like({ needsApproval: async () => true });

    it('is left out with a reason, and the other tools are loaded', async () => {
      await open({
        weather,
        search: {
          type: 'provider',
          id: 'acme.search',
          isProviderExecuted: true,
          args: {},
          inputSchema: z.object({}),
        } as never,
        bash: like({ type: 'provider', id: 'acme.bash', isProviderExecuted: false, args: {} }),
        confirm: { ...clientSide, outputSchema: z.string() } as never,
        pay: approving,
        refund: like({ needsApproval: true }),
        always: like({ needsApproval: false }),
        tenant: like({ contextSchema: z.object({ key: z.string() }) }),
        varying: like({ description: () => 'now' }),
        silent,
        'odd.name': weather,
        date: like({ inputSchema: z.object({ at: z.date() }) }),
        list: like({ inputSchema: z.array(z.string()) }),
        broken: like({
          inputSchema: () => {
            throw new Error('secret of the schema');
          },
        }),
        nothing: null as never,
      });
      expect(await names()).toEqual(['own.always', 'own.weather']);
      expect(refused()).toEqual({
        search: expect.stringMatching(/provider's own/),
        bash: expect.stringMatching(/provider's own/),
        confirm: expect.stringMatching(/no execute/),
        pay: expect.stringMatching(/policy\.approval/),
        refund: expect.stringMatching(/policy\.approval/),
        tenant: expect.stringMatching(/context/),
        varying: expect.stringMatching(/details/),
        silent: expect.stringMatching(/description is missing/),
        'odd.name': expect.stringMatching(/name is not usable/),
        date: expect.any(String),
        list: expect.stringMatching(/not an object/),
        broken: expect.stringMatching(/cannot be read/),
        nothing: expect.stringMatching(/no tool/),
      });
      expect(JSON.stringify(refused())).not.toContain('secret');
    });

    it('is taken where the application says how', async () => {
      const seen: unknown[] = [];
      const { toolbox } = await open(
        {
          pay: approving,
          varying: like({ description: () => 'now' }),
          tenant: tool({
            description: 'Knows its tenant.',
            inputSchema: z.object({}),
            contextSchema: z.object({ key: z.string() }),
            execute: async (_input, { context }) => void seen.push(context),
          }) as never,
        },
        {
          needsApproval: 'by-policy',
          details: { varying: { description: 'Varies.' } },
          context: ({ tenantId }, name) => (tenantId === 'acme' ? { key: `${tenantId} ${name}`, more: 1 } : { key: 7 }),
        },
      );
      expect(await names()).toEqual(['own.pay', 'own.tenant', 'own.varying']);
      expect(await toolbox.call('own.tenant', {})).toMatchObject({ ok: true });
      expect(await world.open({ tenantId: 'globex' }).call('own.tenant', {})).toMatchObject({ code: 'TOOL_FAILED' });
      expect(seen).toEqual([{ key: 'acme tenant' }]);
    });
  });

  describe('calls', () => {
    it('give the tool the signal and id of the call, and its own object', async () => {
      const seen: unknown[] = [];
      class Counter {
        readonly description = 'Counts.';
        readonly inputSchema = z.object({});
        #count = 0;
        async execute(
          _input: object,
          { toolCallId, messages, abortSignal }: { toolCallId: string; messages: unknown[]; abortSignal?: AbortSignal },
        ) {
          seen.push([toolCallId, messages, abortSignal?.aborted]);
          return (this.#count += 1);
        }
      }
      const { toolbox } = await open({ count: new Counter() as never });
      await toolbox.call('own.count', {}, { callId: 'c1' });
      expect(await toolbox.call('own.count', {}, { callId: 'c2' })).toMatchObject({ structured: 2 });
      expect(seen).toEqual([
        ['c1', [], false],
        ['c2', [], false],
      ]);
    });

    it('take the last of many results; those before are progress', async () => {
      const { toolbox } = await open({
        slow: like({
          async *execute() {
            yield 'one';
            yield { is: 'two' };
            yield 'three';
          },
        }),
        empty: like({ async *execute() {} }),
      });
      const heard: unknown[] = [];
      const answer = await toolbox.call('own.slow', { city: 'x' }, { onProgress: (update) => heard.push(update) });
      expect(answer).toMatchObject({ ok: true, content: [{ type: 'text', text: 'three' }] });
      expect(heard).toEqual([{ progress: 1, message: 'one' }, { progress: 2 }, { progress: 3, message: 'three' }]);
      expect(await toolbox.call('own.empty', { city: 'x' })).toMatchObject({ ok: true, content: [] });
    });

    it('end a tool that yields results after its caller has gone', async () => {
      let ended!: () => void;
      const end = new Promise<void>((resolve) => (ended = resolve));
      const giveUp = new AbortController();
      const { toolbox } = await open({
        endless: like({
          async *execute() {
            try {
              for (;;) {
                yield 'again';
                giveUp.abort();
                await new Promise((resolve) => setImmediate(resolve));
              }
            } finally {
              ended();
            }
          },
        }),
      });
      expect(await toolbox.call('own.endless', { city: 'x' }, { signal: giveUp.signal })).toMatchObject({
        code: 'TOOL_CANCELLED',
      });
      await end;
    });

    it('answer an error without a word of it', async () => {
      const { toolbox } = await open({
        fails: like({
          execute: async () => {
            throw new Error('password=hunter2');
          },
        }),
      });
      const answer = await toolbox.call('own.fails', { city: 'x' });
      expect(answer).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
      expect(JSON.stringify(answer)).not.toContain('hunter2');
      expect(world.faults).toMatchObject([{ error: { message: 'password=hunter2' } }]);
    });

    const file = (data: object, mediaType: string, more = {}) => ({ type: 'file', data, mediaType, ...more });
    it.each<[string, object, object]>([
      ['text', { type: 'text', value: 'short' }, { ok: true, content: [{ type: 'text', text: 'short' }] }],
      ['JSON', { type: 'json', value: { a: 1 } }, { ok: true, structured: { a: 1 } }],
      [
        'an error text',
        { type: 'error-text', value: 'no' },
        { ok: false, code: 'TOOL_FAILED', content: [{ text: 'no' }] },
      ],
      [
        'an error',
        { type: 'error-json', value: { no: 1 } },
        { ok: false, code: 'TOOL_FAILED', content: [{ text: '{"no":1}' }] },
      ],
      ['a refusal', { type: 'execution-denied', reason: 'not now' }, { ok: false, content: [{ text: 'not now' }] }],
      [
        'content',
        {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            file({ type: 'data', data: new Uint8Array([1, 2]) }, 'image/png'),
            file({ type: 'data', data: 'AQI=' }, 'audio/wav'),
            file({ type: 'data', data: new Uint8Array([3]).buffer }, 'application/pdf', { filename: 'a b.pdf' }),
            file({ type: 'url', url: new URL('https://files.test/x') }, 'text/plain', { filename: 'x' }),
            file({ type: 'text', text: 'inline' }, 'text/plain'),
            file({ type: 'reference', reference: { acme: 'id' } }, 'image/png'),
            { type: 'image-data', data: 'AQI=', mediaType: 'image/png' },
            { type: 'file-url', url: 'https://files.test/y' },
            { type: 'custom' },
          ],
        },
        {
          ok: true,
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', data: 'AQI=', mimeType: 'image/png' },
            { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' },
            { type: 'resource', resource: { uri: 'attachment:a%20b.pdf', mimeType: 'application/pdf', blob: 'Aw==' } },
            { type: 'resource_link', uri: 'https://files.test/x', mimeType: 'text/plain', name: 'x' },
            { type: 'text', text: 'inline' },
            { type: 'text', text: '[file]' },
            { type: 'image', data: 'AQI=', mimeType: 'image/png' },
            { type: 'resource_link', uri: 'https://files.test/y' },
            { type: 'text', text: '[custom]' },
          ],
        },
      ],
    ])('show a model what the tool has made for it: %s', async (_, output, answer) => {
      const seen: unknown[] = [];
      const { toolbox } = await open({
        made: like({ toModelOutput: (given: unknown) => (seen.push(given), output) }),
      });
      const result = await toolbox.call('own.made', { city: 'Oslo' }, { callId: 'c1' });
      expect(result).toMatchObject(answer);
      // No answer contains what the tool hides from the model.
      expect(JSON.stringify(result)).not.toContain('sky');
      expect(seen).toEqual([
        { toolCallId: 'c1', input: { city: 'Oslo', days: 1 }, output: { city: 'Oslo', days: 1, sky: 'clear' } },
      ]);
    });
  });

  it('asks for its tools at every load where it is given a function', async () => {
    let tools: ToolSet = { weather };
    await open(async () => tools);
    tools = { forecast: weather };
    await world.catalog.refresh();
    expect(await names()).toEqual(['own.forecast']);
  });

  it('replaces its tools while the application runs', async () => {
    const { source } = await open({ weather });
    const published = new Promise<void>((resolve) => world.events.on('catalog.published', () => resolve()));
    source.replace({ forecast: weather });
    await published;
    expect(await names()).toEqual(['own.forecast']);
  });

  it('names tools without a prefix for an empty namespace', async () => {
    const { toolbox } = await open({ weather }, { namespace: '' });
    expect(await names()).toEqual(['weather']);
    expect(await toolbox.call('weather', { city: 'Oslo' })).toMatchObject({ ok: true });
  });

  it("is a tenant's own where it names an owner", async () => {
    await open({ weather }, { owner: 'globex' });
    expect(await names()).toEqual([]);
    expect(await world.open({ tenantId: 'globex' }).visible()).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['name', { name: 'a b' }],
    ['namespace', { namespace: 'a b' }],
    ['tool set', { tools: undefined }],
    ['needsApproval', { needsApproval: 'never' }],
  ])('refuses options that cannot be right: %s', (words, fault) => {
    expect(() => new AiSdkSource({ name: 'own', tools: {}, ...fault })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining(words) }),
    );
  });
});

type Step = string | readonly (readonly [name: string, input: object])[];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model with scripted steps: calls, then a text. */
function script(...steps: readonly Step[]): MockLanguageModelV4 {
  let next = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const step = steps[next++] ?? 'done';
      const isText = typeof step === 'string';
      return {
        content: isText
          ? [{ type: 'text' as const, text: step }]
          : step.map(([toolName, input], index) => ({
              type: 'tool-call' as const,
              toolCallId: `call-${next}-${index}`,
              toolName,
              input: JSON.stringify(input),
            })),
        finishReason: isText
          ? { unified: 'stop' as const, raw: 'stop' }
          : { unified: 'tool-calls' as const, raw: 'tool' },
        usage,
        warnings: [],
      };
    },
  });
}
