import type { Tool } from '@mastra/core/tools';
import { MastraSource, type MastraTools } from '@tool-search/agents/mastra';
import { describeToolSource, openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import { z } from 'zod';
import { mastraTools } from '../readme/agents.js';
import { MASTRA_MISSING } from '../support/adapters/mastra-package.js';

type Tools = typeof import('@mastra/core/tools');
type Contexts = typeof import('@mastra/core/request-context');

const place = MASTRA_MISSING === undefined ? describe : describe.skip;

place(`MastraSource${MASTRA_MISSING === undefined ? '' : `: ${MASTRA_MISSING}`}`, () => {
  // Loaded here, so that a Node.js that cannot load Mastra skips these tests and no more.
  let mastra: Pick<Tools, 'createTool'> & Pick<Contexts, 'RequestContext'>;
  beforeAll(async () => {
    mastra = { ...(await import('@mastra/core/tools')), ...(await import('@mastra/core/request-context')) };
  });

  let world: OpenToolbox;
  afterEach(() => world?.close());

  const like = (more: object = {}): Tool<any, any> =>
    mastra.createTool({
      id: 'weather',
      description: 'The weather in a city.',
      inputSchema: z.object({ city: z.string(), days: z.int().default(1) }),
      execute: async ({ city, days }: { city: string; days: number }) => ({ city, days }),
      ...more,
    } as never) as never;

  type Options = ConstructorParameters<typeof MastraSource>[0];
  async function open(tools: Options['tools'], options: Partial<Options> = {}) {
    const source = new MastraSource({ name: 'own', tools, ...options });
    world = await openToolbox({ sources: [source], context: { tenantId: 'acme' } });
    return { source, toolbox: world.toolbox };
  }
  const names = async () => (await world.toolbox.visible()).map(({ name }) => name).toSorted();

  describeToolSource(
    'MastraSource',
    () => {
      const tools = {
        read: like({ id: 'read', inputSchema: z.object({ id: z.string() }), execute: async (input: unknown) => input }),
        refuse: like({
          id: 'refuse',
          inputSchema: z.object({}),
          execute: async () => {
            throw new Error('password=hunter2\n    at secret (node_modules/x)');
          },
        }),
      };
      const source = new MastraSource({ name: 'crm', tools });
      let changes = 0;
      return {
        source,
        works: { name: 'read', input: { id: '1' } },
        fails: { name: 'refuse', input: {} },
        change: () => source.replace({ ...tools, more: like({ id: `added_${(changes += 1)}` }) }),
      };
    },
    { watches: true },
  );

  it('names a tool by its id, as ToolSearchProcessor does, and finds and calls it', async () => {
    const { toolbox } = await open({ weatherTool: like() });
    expect((await toolbox.search({ query: 'weather' })).tools.map(({ name }) => name)).toEqual(['own.weather']);
    expect(await toolbox.call('own.weather', { city: 'Oslo' })).toMatchObject({
      ok: true,
      structured: { city: 'Oslo', days: 1 },
    });
  });

  it('keeps the names in existing prompts with an empty namespace', async () => {
    world = await openToolbox({ sources: [mastraTools({ weather: like({ id: 'get-weather' }) })] });
    expect(await names()).toEqual(['get-weather']);
    expect(await world.toolbox.call('get-weather', { city: 'Oslo' })).toMatchObject({ ok: true });
  });

  it('takes the metadata of a tool, and the overrides of the application', async () => {
    const { toolbox } = await open(
      { weather: like({ title: 'Weather', inputExamples: [{ input: { city: 'Rome', days: 2 } }] }) },
      { tags: ['public'], details: { weather: { tags: ['slow'], sideEffects: 'read' } } },
    );
    expect((await toolbox.visible())[0]).toMatchObject({
      title: 'Weather',
      description: 'The weather in a city.',
      loading: 'deferred',
      tags: ['public', 'slow'],
      sideEffects: 'read',
      examples: [{ args: { city: 'Rome', days: 2 } }],
      inputSchema: { type: 'object', required: ['city'] },
    });
  });

  it('checks arguments by the schema, which converts them once', async () => {
    const seen: unknown[] = [];
    const inputSchema = z.object({ n: z.string().transform(Number) });
    const { toolbox } = await open({
      count: like({ id: 'count', inputSchema, execute: async (args: unknown) => void seen.push(args) }),
    });
    expect(await toolbox.call('own.count', { n: '3' })).toMatchObject({ ok: true });
    const faulty = await toolbox.call('own.count', { n: 12345 });
    expect(faulty).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS', message: expect.stringContaining('/n') });
    expect(JSON.stringify(faulty)).not.toContain('12345');
    expect(seen).toEqual([{ n: 3 }]);
  });

  it('shows a model what the tool has made for it', async () => {
    const { toolbox } = await open({
      weather: like({ toModelOutput: ({ city }: { city: string }) => ({ type: 'text', value: `sunny in ${city}` }) }),
    });
    const result = await toolbox.call('own.weather', { city: 'Oslo' });
    expect(result).toMatchObject({ ok: true, content: [{ type: 'text', text: 'sunny in Oslo' }] });
    expect(JSON.stringify(result)).not.toContain('days');
  });

  it("answers an output that does not fit the tool's own schema without a word of it", async () => {
    const { toolbox } = await open({
      weather: like({
        outputSchema: z.object({ sky: z.string() }),
        execute: async () => ({ sky: { secret: 'hunter2' } }),
      }),
    });
    const answer = await toolbox.call('own.weather', { city: 'Oslo' });
    expect(answer).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  describe('what cannot run here as it would there', () => {
    const reasons = () => Object.fromEntries(refused.map(({ name, reason }) => [name, reason]));
    let refused: readonly { readonly name: string; readonly reason: string }[];

    it('is left out with a reason, and the other tools are loaded', async () => {
      const { source } = await open({
        weather: like(),
        again: like(),
        pay: like({ id: 'pay', requireApproval: true }),
        refund: like({ id: 'refund', requireApproval: async () => true }),
        never: like({ id: 'never', requireApproval: false }),
        ask: like({ id: 'ask', suspendSchema: z.object({ question: z.string() }) }),
        tenant: like({ id: 'tenant', requestContextSchema: z.object({ key: z.string() }) }),
        client: like({ id: 'client', execute: undefined }),
        date: like({ id: 'date', inputSchema: z.object({ at: z.date() }) }),
        other: { description: 'Of the AI SDK.', inputSchema: z.object({}), execute: async () => 1 } as never,
        nothing: null as never,
      } as MastraTools);
      refused = source.leftOut();
      expect(await names()).toEqual(['own.never', 'own.weather']);
      expect(reasons()).toEqual({
        weather: expect.stringMatching(/same id/),
        pay: expect.stringMatching(/policy\.approval/),
        refund: expect.stringMatching(/policy\.approval/),
        ask: expect.stringMatching(/suspends/),
        tenant: expect.stringMatching(/request context/),
        client: expect.stringMatching(/no execute/),
        date: expect.any(String),
        other: expect.stringMatching(/AiSdkSource/),
        nothing: expect.stringMatching(/no tool of createTool/),
      });
    });

    it('is taken where the application says how', async () => {
      const seen: unknown[] = [];
      const tenant = like({
        id: 'tenant',
        inputSchema: z.object({}),
        requestContextSchema: z.object({ key: z.string() }),
        execute: async (_: unknown, { requestContext, mastra: application, abortSignal }: any) =>
          void seen.push([requestContext.get('key'), application, abortSignal.aborted]),
      });
      const application = { name: 'app' };
      await open(
        { tenant, pay: like({ id: 'pay', requireApproval: true }) },
        {
          requireApproval: 'by-policy',
          mastra: application as never,
          requestContext: ({ tenantId }, tool) =>
            new mastra.RequestContext([['key', tenantId === 'acme' ? `${tenantId} ${tool}` : 7]]) as never,
        },
      );
      expect(await names()).toEqual(['own.pay', 'own.tenant']);
      expect(await world.toolbox.call('own.tenant', {})).toMatchObject({ ok: true });
      const other = await world.open({ tenantId: 'globex' }).call('own.tenant', {});
      expect(other).toMatchObject({ code: 'TOOL_FAILED' });
      expect(JSON.stringify(other)).not.toContain('key');
      expect(seen).toEqual([['acme tenant', application, false]]);
    });
  });

  it('asks for its tools at every load where it is given a function, and replaces them while the application runs', async () => {
    let tools: MastraTools = { weather: like() };
    const { source } = await open(async () => tools);
    tools = { forecast: like({ id: 'forecast' }) };
    await world.catalog.refresh();
    expect(await names()).toEqual(['own.forecast']);
    const published = new Promise<void>((resolve) => world.events.on('catalog.published', () => resolve()));
    source.replace({ tide: like({ id: 'tide' }) });
    await published;
    expect(await names()).toEqual(['own.tide']);
  });
});
