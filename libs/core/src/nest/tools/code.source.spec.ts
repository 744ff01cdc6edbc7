import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { openToolbox, type OpenToolbox } from '../../testing/open-toolbox.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { CodeSource, type CodeSourceOptions } from './code.source.js';
import { type CodeTool, defineTool } from '../decorators/define-tool.js';
import { toolOutput } from './tool-output.js';

const Refund = z.object({ invoiceId: z.string(), amount: z.coerce.number().positive().default(5) });

const refund = defineTool({
  name: 'refund',
  description: 'Refund an invoice.',
  input: Refund,
  tags: ['money'],
  sideEffects: 'write',
  exampleQueries: ['give me my money back'],
  run: ({ invoiceId, amount }, { tenantId }) => `${tenantId} refunds ${amount.toFixed(2)} of ${invoiceId}`,
});
const ping = (says: unknown = 'pong', of: { name?: string; namespace?: string } = {}) =>
  defineTool({ name: 'ping', description: 'Answers.', run: () => says, ...of });
const source = (tools: readonly CodeTool[], of: Partial<CodeSourceOptions> = {}) =>
  new CodeSource({ name: 'billing', tools, ...of });

describe('CodeSource', () => {
  let world: OpenToolbox;
  afterEach(() => world.close());
  const open = async (...sources: CodeSource[]) => {
    world = await openToolbox({
      sources,
      options: { exposure: 'deferred', tuning: { catalog: { refreshEveryMs: 1 } } },
    });
    return world.toolbox;
  };

  it('brings tools that are found, checked and called like decorated ones', async () => {
    const toolbox = await open(source([refund, ping()], { loading: 'deferred', description: 'Our invoices.' }));
    const found = await toolbox.search({ query: 'money back' });
    expect(found.tools.map(({ name }) => name)).toEqual(['billing.refund']);
    expect((await toolbox.get(['billing.refund'])).tools[0]).toMatchObject({
      inputSchema: { type: 'object', required: ['invoiceId'] },
    });
    expect(await toolbox.call('billing.refund', { invoiceId: 'i1', amount: '7' })).toMatchObject({
      ok: true,
      content: [{ type: 'text', text: 'acme refunds 7.00 of i1' }],
    });
    expect(await toolbox.call('billing.refund', { invoiceId: 1 })).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining('/invoiceId'),
    });
    expect(await toolbox.call('billing.ping', { surplus: true })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('has the loading and the examples that a tool names, before those of the source', async () => {
    const tool = (name: string, more: object) =>
      defineTool({ name, description: 'Answers.', run: () => 'ok', ...more });
    const toolbox = await open(
      source(
        [
          tool('early', { loading: 'always', examples: [{ args: {}, description: 'As it is.', tags: ['common'] }] }),
          tool('late', {}),
        ],
        { loading: 'deferred' },
      ),
    );
    expect((await toolbox.list()).map(({ name }) => name)).toEqual(['billing.early']);
    const { tools } = await toolbox.get(['billing.early', 'billing.late']);
    expect(tools).toMatchObject([
      { loading: 'always', examples: [{ args: {}, description: 'As it is.', tags: ['common'] }] },
      { loading: 'deferred' },
    ]);
  });

  it('speaks to models as the application itself does, unless it is a tenant’s', async () => {
    const strict = defineTool({ name: 'ask', description: 'Asks, and ends at <|im_end|>.', run: () => 'why' });
    const toolbox = await open(source([strict]));
    expect(await toolbox.call('billing.ask', {})).toMatchObject({ ok: true });
    expect(() => source([strict], { owner: 'acme' })).toThrow(/control tokens/);
  });

  it('accepts JSON Schema, without types for the compiler', async () => {
    const add = defineTool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
      output: z.object({ sum: z.number() }),
      run: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
    });
    const toolbox = await open(source([add]));
    expect(await toolbox.call('billing.add', { a: 1, b: 2 })).toMatchObject({ structured: { sum: 3 } });
    expect(await toolbox.call('billing.add', { a: 1.5, b: 2 })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect((await toolbox.visible())[0]?.outputSchema).toMatchObject({ required: ['sum'] });
  });

  it('gives the handler the context, the signal and progress of the call', async () => {
    const seen: [ToolContext, ToolCall][] = [];
    const slow = defineTool({
      name: 'slow',
      description: 'Takes long.',
      run: async (_input, context, call) => {
        seen.push([context, call]);
        call.progress({ progress: 1, total: 2 });
        await setTimeout(60_000, undefined, { signal: call.signal });
      },
    });
    const toolbox = await open(source([slow]));
    const giveUp = new AbortController();
    const calling = toolbox.call('billing.slow', {}, { signal: giveUp.signal, onProgress: () => giveUp.abort() });
    expect(await calling).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(seen[0]?.[0]).toMatchObject({ tenantId: 'acme', userId: 'ada' });
    expect(seen[0]?.[1].signal.aborted).toBe(true);
  });

  it('answers an error with a fixed text, and reports it to the operator', async () => {
    const failing = defineTool({
      name: 'fail',
      description: 'Fails.',
      run: () => {
        throw new Error('password=hunter2');
      },
    });
    const toolbox = await open(source([failing]));
    const answer = await toolbox.call('billing.fail', {});
    expect(answer).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect(world.faults).toMatchObject([{ tool: 'billing.fail', error: { message: 'password=hunter2' } }]);
  });

  it('leaves output alone that says it is finished', async () => {
    const said = toolOutput({ content: [{ type: 'text', text: 'no such invoice' }], isError: true });
    const toolbox = await open(source([ping(said)]));
    expect(await toolbox.call('billing.ping', {})).toMatchObject({
      code: 'TOOL_FAILED',
      content: [{ text: 'no such invoice' }],
    });
  });

  it('names tools without a prefix for an empty namespace, of the source or of the tool', async () => {
    const bare = await open(source([ping('ours')], { namespace: '' }));
    expect((await bare.visible()).map(({ name }) => name)).toEqual(['ping']);
    expect(await bare.call('ping', {})).toMatchObject({ ok: true });
    const mixed = await open(source([ping('ours', { namespace: '' })], { namespace: 'acc' }));
    expect((await mixed.visible()).map(({ name }) => name)).toEqual(['ping']);
    expect(() => source([ping('ours', { name: 'tool_search' })], { namespace: '' })).toThrow(/tool_search/);
  });

  it('takes a namespace as long as a name may be', () => {
    const [longest, tooLong] = ['n'.repeat(123), 'n'.repeat(124)];
    expect(() => source([ping()], { namespace: longest })).not.toThrow();
    expect(() => source([ping()], { namespace: tooLong })).toThrow(/the name must be 1 to 128/);
    expect(() => source([], { namespace: 'n'.repeat(129) })).toThrow(/namespace must be/);
  });

  it('puts tools under the namespace they name, and keeps those of one name apart', async () => {
    const toolbox = await open(source([ping('ours'), ping('theirs', { namespace: 'crm.eu' })], { namespace: 'acc' }));
    expect((await toolbox.visible()).map(({ name, namespace }) => [name, namespace])).toEqual([
      ['acc.ping', 'acc'],
      ['crm.eu.ping', 'crm.eu'],
    ]);
    const answers = await Promise.all(['acc.ping', 'crm.eu.ping'].map((name) => toolbox.call(name, {})));
    expect(answers).toMatchObject([{ content: [{ text: 'ours' }] }, { content: [{ text: 'theirs' }] }]);
  });

  it("is a tenant's own where it names an owner", async () => {
    await open(source([ping()], { owner: 'globex' }));
    const names = async (tenantId: string) => (await world.open({ tenantId }).visible()).map(({ name }) => name);
    expect(await names('acme')).toEqual([]);
    expect(await names('globex')).toEqual(['billing.ping']);
  });

  it('replaces its tools while the application runs, and calls what the catalog knows until then', async () => {
    const billing = source([ping('old')]);
    const toolbox = await open(billing);
    const replaced = new Promise<void>((resolve) => world.events.on('catalog.published', () => resolve()));
    billing.replace([ping('new'), refund]);
    expect(await toolbox.call('billing.ping', {})).toMatchObject({ content: [{ text: 'old' }] });
    await replaced;
    expect(await toolbox.call('billing.ping', {})).toMatchObject({ content: [{ text: 'new' }] });
    expect(await toolbox.call('billing.refund', { invoiceId: 'i1' })).toMatchObject({ ok: true });
    const gone = new Promise<void>((resolve) => world.events.on('catalog.published', () => resolve()));
    billing.replace([]);
    await gone;
    expect(await toolbox.call('billing.ping', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('refuses options that are none', () => {
    const known = { name: 'refund', description: 'Refund.', run: () => 1 };
    expect(() => defineTool({ ...known, inputs: {} } as never)).toThrow('defineTool() has no option "inputs".');
    expect(() => defineTool({ ...known, origin: {} } as never)).toThrow('defineTool() has no option "origin".');
    expect(() => new CodeSource({ name: 'a', tools: [], tenant: 'acme' } as never)).toThrow(
      'CodeSource "a" has no option "tenant".',
    );
  });

  it('keeps what it has when what is to replace it has a fault', async () => {
    const billing = source([ping()]);
    const toolbox = await open(billing);
    expect(() => billing.replace([refund, ping(), ping()])).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining('billing.ping') }),
    );
    await world.catalog.refresh();
    expect((await toolbox.visible()).map(({ name }) => name)).toEqual(['billing.ping']);
  });
});

describe('a fault in the code is thrown where it is written', () => {
  const declared = { name: 'ok', description: 'Is fine.', run: () => 'ok' };

  it.each<[string, object, RegExp]>([
    ['no name', { name: undefined }, /the name/],
    ['a name with a dot', { name: 'a.b' }, /"a\.b".*the name/],
    ['no handler', { run: undefined }, /run is no function/],
    ['a timeout of nothing', { timeoutMs: 0 }, /timeoutMs/],
    ['an input that is no object', { input: z.string() }, /not an object/],
    ['an input that JSON cannot carry', { input: z.object({ at: z.date() }) }, /JSON Schema cannot express/],
    ['a reference to nowhere', { input: { type: 'object', $ref: '#/$defs/none' } }, /cannot be compiled/],
    ['a namespace with a space', { namespace: 'a b' }, /namespace/],
  ])('in defineTool: %s', (_, fault, message) => {
    expect(() => defineTool({ ...declared, ...fault } as typeof declared)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringMatching(message) }),
    );
  });

  it.each<[string, object, RegExp]>([
    ['no name', { name: '' }, /name must be a text of 1 to 64 of letters/],
    ['a namespace that is none', { namespace: 'a b' }, /namespace/],
    ['tools that were not defined', { tools: [declared, {}] }, /defineTool|list of tools/],
    ['no tools', { tools: undefined }, /list of tools/],
    [
      'a description that is missing',
      { tools: [defineTool({ ...declared, description: '' })] },
      /billing\.ok.*missing/,
    ],
    ['hidden text', { tools: [defineTool({ ...declared, description: 'a\u{E0041}b' })] }, /a reader does not see/],
    ['one name twice', { tools: [defineTool(declared), defineTool(declared)] }, /more than once/],
    [
      'an example that does not fit',
      { tools: [defineTool({ ...declared, input: Refund, examples: [{ args: { invoiceId: 1 }, tags: [] }] })] },
      /example/,
    ],
    ['more tools than its limit', { tools: [defineTool(declared)], limits: { tools: 0 } }, /limit is 0/],
  ])('in CodeSource: %s', (_, fault, message) => {
    expect(() => new CodeSource({ name: 'billing', tools: [], ...fault })).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(INVALID_CONFIGURATION|SOURCE_LIMIT)$/),
        message: expect.stringMatching(message),
      }),
    );
  });

  it('in the eyes of the compiler: the handler takes what the schema gives', () => {
    // @ts-expect-error the schema gives no such field
    void (() => defineTool({ ...declared, input: Refund, run: ({ invoice }) => invoice }));
    // @ts-expect-error the amount is a number
    void (() => defineTool({ ...declared, input: Refund, run: ({ amount }: { amount: string }) => amount }));
    expect(defineTool({ ...declared, input: Refund, run: ({ amount }) => amount + 1 }).declaration.name).toBe('ok');
  });
});
