import { mastra } from '@tool-search/agents/mastra';
import { MemoryActivationStore } from '@tool-search/core/internal';
import { FakeSource, type OpenToolbox, openToolbox } from '@tool-search/core/testing';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { MASTRA_MISSING } from '../support/adapters/mastra-package.js';

type Parts = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What a scripted model does at a step: calls a tool, or says what the last tool answered. */
type Step = { readonly call: string; readonly args?: object } | 'say';

const RUN = { tenantId: 'acme', userId: 'ada', sessionId: 's1', runId: 'run-1' };
const SEARCH: Step = { call: 'tool_search', args: { query: 'close an issue' } };
const CLOSE: Step = { call: 'github__close_issue' };

const place = MASTRA_MISSING === undefined ? describe : describe.skip;

place(`mastra with a durable agent${MASTRA_MISSING === undefined ? '' : `: ${MASTRA_MISSING}`}`, () => {
  let core: typeof import('@mastra/core/agent');
  let durable: typeof import('@mastra/core/agent/durable');
  let mastraCore: typeof import('@mastra/core/mastra');
  let contexts: typeof import('@mastra/core/request-context');
  const worlds: OpenToolbox[] = [];
  beforeAll(async () => {
    process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
    core = await import('@mastra/core/agent');
    durable = await import('@mastra/core/agent/durable');
    mastraCore = await import('@mastra/core/mastra');
    contexts = await import('@mastra/core/request-context');
  });
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  /** One process of the application. Processes share the store of activations. */
  async function application(store = new MemoryActivationStore(), activateOn: 'call' | 'search' = 'call') {
    const ran: string[] = [];
    const tools = ['close_issue', 'list_issues'].map((name) => ({ name, run: () => ran.push(name) && 'closed' }));
    const options = { exposure: 'deferred', activation: { activateOn } } as const;
    const sources = [new FakeSource('github', tools)];
    const world = await openToolbox({ sources, options, store, context: RUN });
    worlds.push(world);
    return { world, ran, store, context: () => new contexts.RequestContext([['toolbox', world.open()]]) };
  }

  function clerk(steps: readonly Step[]) {
    const seen: (readonly string[])[] = [];
    const model = new MockLanguageModelV3({
      doStream: async ({ tools = [], prompt }) => {
        const step = steps[seen.length] ?? 'say';
        seen.push(tools.map(({ name }) => name));
        const id = `call-${seen.length}`;
        const chunks: Parts[] =
          step === 'say'
            ? [
                { type: 'text-start', id },
                { type: 'text-delta', id, delta: JSON.stringify(prompt.filter(({ role }) => role === 'tool').at(-1)) },
                { type: 'text-end', id },
                { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE },
              ]
            : [
                { type: 'tool-call', toolCallId: id, toolName: step.call, input: JSON.stringify(step.args ?? {}) },
                { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage: USAGE },
              ];
        return { stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...chunks] }) };
      },
    });
    const agent = new core.Agent({
      id: 'clerk',
      name: 'Clerk',
      instructions: 'You are a clerk.',
      model: model as never,
      inputProcessors: ({ requestContext }) => [mastra(requestContext.get('toolbox') as never)],
    });
    const clerk = durable.createDurableAgent({ agent });
    // Gives the agent the parts that durable runs need.
    void new mastraCore.Mastra({ agents: { clerk } as never, logger: false });
    return { clerk, seen };
  }

  const lists = (seen: readonly (readonly string[])[]) => seen.map((names) => names.includes('github__close_issue'));

  it('calls in one step what it found in the step before', async () => {
    const { ran, context } = await application();
    const { clerk: agent, seen } = clerk([SEARCH, CLOSE]);
    const { output, cleanup } = await agent.stream('Close it.', { requestContext: context() as never, maxSteps: 9 });
    expect(await output.text).toContain('closed');
    cleanup();
    expect(lists(seen)).toEqual([false, true, true]);
    expect(ran).toEqual(['close_issue']);
  });

  it('keeps what it found while it waits for an approval of Mastra, and runs it once', async () => {
    const { ran, context } = await application();
    const { clerk: agent, seen } = clerk([SEARCH, CLOSE]);
    const options = { requestContext: context() as never, maxSteps: 9, closeOnSuspend: true };
    const { runId, output } = await agent.stream('Close it.', { ...options, requireToolApproval: true });
    expect(await output.finishReason).toBe('suspended');
    const searched = await agent.approveToolCall({ runId, ...options });
    expect(await searched.finishReason).toBe('suspended');
    expect(ran).toEqual([]);
    const done = await agent.approveToolCall({ runId, ...options });
    expect(await done.text).toContain('closed');
    expect(lists(seen)).toEqual([false, true, true]);
    expect(ran).toEqual(['close_issue']);
  });

  it.each([
    ['a tool that was called', 'call', [SEARCH, CLOSE], true],
    ['a tool that was only found', 'call', [SEARCH], false],
    ['a tool that was only found, where a search activates it', 'search', [SEARCH], true],
  ] as const)('another process lists %s, by activateOn %s: %3$s', async (_, activateOn, steps, isListed) => {
    const first = await application(undefined, activateOn);
    const before = clerk(steps);
    const begun = await before.clerk.stream('Find it.', { requestContext: first.context() as never, maxSteps: 9 });
    await begun.output.text;
    begun.cleanup();
    const second = await application(first.store, activateOn);
    const after = clerk([]);
    const went = await after.clerk.stream('Go on.', { requestContext: second.context() as never, maxSteps: 9 });
    await went.output.text;
    went.cleanup();
    expect(lists(after.seen)).toEqual([isListed]);
  });
});
