import { createOpenAI } from '@ai-sdk/openai';
import type { Agent, AgentConfig } from '@mastra/core/agent';
import type { Tool } from '@mastra/core/tools';
import { mastra } from '@tool-search/agents/mastra';
import type { Toolbox } from '@tool-search/core';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { z } from 'zod';
import { withMastra } from '../readme/agents.js';
import type { Script, ScriptedReply, ScriptedTurn } from '../support/adapters/adapter-driver.js';
import { MASTRA_MISSING } from '../support/adapters/mastra-package.js';
import { OpenAiResponsesServer } from '../support/adapters/openai/openai-responses-server.js';

const call = (name: string, args: unknown = {}): ScriptedReply => ({ calls: [{ name, arguments: args }] });
const said = ({ results }: ScriptedTurn): ScriptedReply => ({ text: results.map(({ text }) => text).join(' | ') });
const names = ({ tools }: ScriptedTurn) => tools.map(({ name }) => name);

const LIMIT = { type: 'object', properties: { limit: { type: 'integer' } } };

function open(exposure: 'all' | 'deferred' = 'deferred') {
  const github = new FakeSource('github', [
    { name: 'close_issue', run: () => 'closed' },
    { name: 'list_issues', inputSchema: LIMIT, run: () => ({ issues: [7, 8] }) },
    { name: 'chart', run: () => ({ content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }] }) },
  ]);
  return openToolbox({ sources: [github], options: { exposure } });
}

const place = MASTRA_MISSING === undefined ? describe : describe.skip;

place(`mastra with a real agent${MASTRA_MISSING === undefined ? '' : `: ${MASTRA_MISSING}`}`, () => {
  let server: OpenAiResponsesServer;
  let AgentClass: typeof Agent;
  let createTool: typeof import('@mastra/core/tools').createTool;
  let RequestContext: typeof import('@mastra/core/request-context').RequestContext;
  beforeAll(async () => {
    process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
    ({ Agent: AgentClass } = await import('@mastra/core/agent'));
    ({ createTool } = await import('@mastra/core/tools'));
    ({ RequestContext } = await import('@mastra/core/request-context'));
    server = await new OpenAiResponsesServer().listen();
  });
  afterAll(() => server.close());
  // In every test: nothing was sent that the API would reject.
  afterEach(() => expect(server.refused.splice(0)).toEqual([]));

  const providerOptions = { openai: { store: false } };

  function clerk(steps: readonly Script[], config: Partial<AgentConfig> = {}) {
    const { apiKey, turns } = server.converse((turn, step) => steps[step]!(turn, step));
    const requests: { readonly input: readonly unknown[] }[] = [];
    const recording: typeof fetch = (url, init) => {
      requests.push(JSON.parse(init!.body as string) as { input: unknown[] });
      return fetch(url, init);
    };
    const model = createOpenAI({ apiKey, baseURL: server.baseURL, fetch: recording }).responses('gpt-5.4');
    const given = { id: 'clerk', name: 'Clerk', instructions: 'You are a clerk.', maxRetries: 0, ...config };
    return { agent: new AgentClass({ ...given, model } as AgentConfig), turns, requests };
  }

  async function converse(
    toolbox: Toolbox,
    steps: readonly Script[],
    {
      config,
      options,
      ...run
    }: { config?: Partial<AgentConfig>; options?: Parameters<typeof mastra>[1]; activeTools?: string[] } = {},
  ) {
    const { agent, turns, requests } = clerk(steps, config);
    const inputProcessors = [mastra(toolbox, options)];
    const { text } = await agent.generate('Close it.', { inputProcessors, maxSteps: 9, providerOptions, ...run });
    return { text, turns, requests };
  }

  const weather = (): Tool<any, any> =>
    createTool({
      id: 'weather',
      description: 'The weather in a city.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ sky: `clear in ${city}` }),
    }) as never;

  it('is one line for an application', async () => {
    const { toolbox } = await open();
    const { agent, turns } = clerk(
      [() => call('tool_search', { query: 'close an issue' }), () => call('github__close_issue'), said],
      { defaultOptions: { providerOptions } },
    );
    expect(mastra(toolbox)).toMatchObject({ id: 'toolbox', name: 'Toolbox' });
    expect(await withMastra(toolbox, agent, 'Close issue 7.')).toBe('closed');
    expect(turns.map((turn) => names(turn).includes('github__close_issue'))).toEqual([false, true, true]);
  });

  it('takes the toolbox of a request from the request context of a shared agent', async () => {
    const { toolbox } = await open('all');
    const { agent, turns } = clerk([() => call('github__close_issue'), said], {
      inputProcessors: ({ requestContext }) => [mastra(requestContext.get('toolbox') as Toolbox)],
    });
    const requestContext = new RequestContext([['toolbox', toolbox]]);
    const { text } = await agent.generate('Close it.', { requestContext: requestContext as never, providerOptions });
    expect(text).toBe('closed');
    expect(names(turns[0]!)).toEqual(['github__chart', 'github__close_issue', 'github__list_issues']);
  });

  it("lists the agent's own tools first, and Mastra runs them", async () => {
    const { toolbox } = await open();
    const { text, turns } = await converse(toolbox, [() => call('weather', { city: 'Oslo' }), said], {
      config: { tools: { weather: weather() } },
    });
    expect(names(turns[0]!)).toEqual(['weather', 'tool_search', 'tool_get']);
    expect(names(turns[1]!)).toEqual(['weather', 'tool_search', 'tool_get']);
    expect(JSON.parse(text)).toEqual({ sky: 'clear in Oslo' });
  });

  it("applies activeTools to the agent's own tools only", async () => {
    const { toolbox } = await open('all');
    const tools = { weather: weather(), other: weather() };
    const { turns } = await converse(toolbox, [() => ({ text: 'ok' })], {
      config: { tools },
      activeTools: ['other'],
    });
    expect(names(turns[0]!)).toEqual(['other', 'github__chart', 'github__close_issue', 'github__list_issues']);
  });

  it("refuses to run when one of the agent's own tools is named like a meta tool", async () => {
    const { toolbox } = await open();
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const run = converse(toolbox, [], { config: { tools: { tool_search: weather() } } });
    await expect(run).rejects.toThrow('One of your own tools is named tool_search, like a meta tool.');
    log.mockRestore();
  });

  it.each(['system', 'end', 'none'] as const)('places guidance once in every step: %s', async (prompt) => {
    const { toolbox } = await open();
    const steps: Script[] = [
      () => call('tool_search', { query: 'close an issue' }),
      () => call('github__close_issue'),
      said,
    ];
    const { requests } = await converse(toolbox, steps, { options: { prompt } });
    expect(requests).toHaveLength(3);
    for (const { input } of requests) {
      const told = input.filter((item) => JSON.stringify(item).includes('Most tools are not listed.'));
      expect(told).toEqual(prompt === 'none' ? [] : [prompt === 'end' ? input.at(-1) : input[1]]);
      expect(JSON.stringify(input[0])).toContain('You are a clerk.');
    }
  });

  it('shows images of a result as images, and failures as coded objects', async () => {
    const { toolbox } = await open('all');
    const { requests, text } = await converse(toolbox, [
      () => call('github__chart'),
      () => call('github__list_issues', { limit: 'ten' }),
      said,
    ]);
    expect(JSON.stringify(requests[1]!.input.at(-1))).toMatch(/"input_image".*data:image\/png;base64,aGVsbG8=/);
    expect(JSON.parse(text)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
  });

  it('says that a tool above the limit is listed when it is found, because Mastra runs no other', async () => {
    const pets = Array.from({ length: 5 }, (_, n) => ({ name: `pet_${n}`, loading: 'always' as const }));
    const sources = [new FakeSource('zoo', [...pets, 'zebra'])];
    const { toolbox } = await openToolbox({ sources, options: { exposure: 'deferred' } });
    const { turns } = await converse(toolbox, [() => ({ text: 'ok' })], { options: { limits: { tools: 4 } } });
    expect(names(turns[0]!)).toEqual(['tool_search', 'tool_get', 'zoo__pet_0', 'zoo__pet_1']);
    expect(turns[0]!.instructions).toContain(
      '3 more tools do not fit into the list. Find them with tool_search; those that are found are listed in the next step.',
    );
  });
});
