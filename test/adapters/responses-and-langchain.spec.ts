import { ChatOpenAI } from '@langchain/openai';
import type { JsonSchema } from '@tool-search/core';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import OpenAI from 'openai';
import { withLangChain, withResponses } from '../readme/agents.js';
import type { Script, ScriptedReply } from '../support/adapters/adapter-driver.js';
import { langChainDriver } from '../support/adapters/langchain.driver.js';
import { OpenAiResponsesServer } from '../support/adapters/openai/openai-responses-server.js';
import { openAiResponsesDriver } from '../support/adapters/openai/openai-responses.driver.js';

const NUMBER = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };

function github() {
  return new FakeSource('github', [
    { name: 'close_issue', inputSchema: NUMBER, run: ({ number }) => `closed ${String(number)}` },
    { name: 'list_issues', run: () => ({ issues: [7, 8] }) },
    { name: 'wait', run: () => new Promise((resolve) => setTimeout(resolve, 30, 'waited')) },
  ]);
}

const search = (query: string): ScriptedReply => ({ calls: [{ name: 'tool_search', arguments: { query } }] });
const call = (name: string, args: unknown = {}): ScriptedReply => ({ calls: [{ name, arguments: args }] });
const said = ({ results }: Parameters<Script>[0]): ScriptedReply => ({
  text: results.map(({ text }) => text).join(' | '),
});

it('is a few lines for an application', async () => {
  const server = await new OpenAiResponsesServer().listen();
  try {
    const { toolbox } = await openToolbox({ sources: [github()] });
    const script: Script = (turn, step) => (step === 0 ? call('github__close_issue', { number: 7 }) : said(turn));
    const configuration = { baseURL: server.baseURL };
    const client = new OpenAI({ ...configuration, apiKey: server.converse(script).apiKey });
    expect(await withResponses(toolbox, client, 'Close issue 7.')).toMatchObject({ text: 'closed 7' });
    const { apiKey } = server.converse(script);
    const model = new ChatOpenAI({ model: 'gpt-5.4', apiKey, useResponsesApi: true, configuration });
    expect(await withLangChain(toolbox, model, 'Close issue 7.')).toBe('closed 7');
  } finally {
    await server.close();
  }
});

describe.each([
  { name: 'openai-responses', open: openAiResponsesDriver },
  { name: 'langchain', open: langChainDriver },
])('$name', ({ open }) => {
  let driver: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());
  // In every test: nothing was sent that the API would reject.
  afterEach(() => expect(driver.server.refused.splice(0)).toEqual([]));

  const deferring = () => driver.modes.filter((mode) => mode === 'deferred' || mode === 'native');

  it('lists everything in all, and no meta tool', async () => {
    const { toolbox } = await openToolbox({ sources: [github()], options: { exposure: 'all' } });
    const { turns, answer } = await driver.run(toolbox, {
      mode: 'all',
      prompt: 'hi',
      script: () => ({ text: 'hello' }),
    });
    expect(turns[0]?.tools.map(({ name }) => name)).toEqual([
      'github__close_issue',
      'github__list_issues',
      'github__wait',
    ]);
    expect(turns[0]?.instructions).toBe('');
    expect(answer).toBe('hello');
  });

  it('calls in the next step what a search has found', async () => {
    for (const mode of deferring()) {
      const source = github();
      const { toolbox } = await openToolbox({ sources: [source] });
      const steps: Script[] = [() => search('close an issue'), () => call('github__close_issue', { number: 7 }), said];
      const { answer, turns } = await driver.run(toolbox, {
        mode,
        prompt: 'Close issue 7.',
        script: (turn, step) => steps[step]!(turn, step),
      });
      expect(turns[0]?.tools.map(({ name }) => name)).toEqual(['tool_search', 'tool_get']);
      expect(turns[0]?.instructions).toContain('tool_search');
      expect(turns[1]?.tools).toContainEqual({
        name: 'github__close_issue',
        description: 'Does what close_issue says.',
        inputSchema: expect.objectContaining({ properties: NUMBER.properties }),
      });
      expect(answer).toBe('closed 7');
      expect(source.calls.map(({ name, input }) => [name, input])).toEqual([['close_issue', { number: 7 }]]);
    }
  });

  it('calls through the bridge', async () => {
    const source = github();
    const { toolbox } = await openToolbox({ sources: [source], options: { exposure: 'bridge' } });
    const steps: Script[] = [
      () => search('close an issue'),
      () => call('tool_call', { name: 'github__close_issue', arguments: { number: 7 } }),
      said,
    ];
    const { answer, turns } = await driver.run(toolbox, {
      mode: 'bridge',
      prompt: 'Close issue 7.',
      script: (turn, step) => steps[step]!(turn, step),
    });
    expect(answer).toBe('closed 7');
    expect(new Set(turns.map(({ tools }) => tools.map(({ name }) => name).join()))).toEqual(
      new Set(['tool_search,tool_get,tool_call']),
    );
  });

  it('answers parallel calls in their order, in any order of completion', async () => {
    const { toolbox } = await openToolbox({ sources: [github()] });
    const script: Script = (turn, step) =>
      step === 0
        ? {
            calls: [
              { name: 'github__wait', arguments: {} },
              { name: 'github__close_issue', arguments: { number: 1 } },
              { name: 'tool_search', arguments: { query: 'list issues' } },
              { name: 'github__close_issue', arguments: { number: 2 } },
            ],
          }
        : said(turn);
    for (const mode of deferring()) {
      const { turns } = await driver.run(toolbox, { mode, prompt: 'All of it.', script });
      expect(turns[1]?.results.map(({ name }) => name)).toEqual([
        'github__wait',
        'github__close_issue',
        'tool_search',
        'github__close_issue',
      ]);
      const [waited, first, found, second] = turns[1]!.results.map(({ text }) => text);
      expect([waited, first, second]).toEqual(['waited', 'closed 1', 'closed 2']);
      expect(found).toContain('github__list_issues');
    }
  });

  it('shows a tool no more from the step after it was switched off, and refuses its call', async () => {
    for (const mode of driver.modes.filter((each) => each !== 'bridge')) {
      const source = github();
      const exposure = mode === 'all' ? 'all' : 'deferred';
      const { toolbox, killSwitches } = await openToolbox({ sources: [source], options: { exposure } });
      const before: Script[] = [() => search('close an issue'), () => call('github__close_issue', { number: 1 })];
      const steps: Script[] = [
        ...(mode === 'all' ? before.slice(1) : before),
        async ({ tools }) => {
          expect(tools.map(({ name }) => name)).toContain('github__close_issue');
          await killSwitches.engage({
            actor: 'olga',
            reason: 'It closes too much.',
            kind: 'tool',
            value: 'github.close_issue',
          });
          return call('github__list_issues');
        },
        ({ tools }) => {
          expect(tools.map(({ name }) => name)).not.toContain('github__close_issue');
          return call('github__close_issue', { number: 2 });
        },
        said,
      ];
      const { answer } = await driver.run(toolbox, {
        mode,
        prompt: 'Close issue 1.',
        script: (turn, step) => steps[step]!(turn, step),
      });
      expect(JSON.parse(answer)).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
      expect(source.calls.map(({ name }) => name)).toEqual(['close_issue', 'list_issues']);
    }
  });

  it('runs a visible tool that is not listed, and refuses hidden and unknown ones alike', async () => {
    const source = github();
    const { toolbox } = await openToolbox({ sources: [source], policy: { deny: ['github.wait'] } });
    for (const mode of deferring()) {
      const { turns } = await driver.run(toolbox, {
        mode,
        prompt: 'Close issue 1.',
        script: (turn, step) =>
          step === 0
            ? {
                calls: [
                  { name: 'github__close_issue', arguments: { number: 1 } },
                  { name: 'github__wait', arguments: {} },
                  { name: 'github__invented', arguments: {} },
                ],
              }
            : said(turn),
      });
      const [ran, hidden, unknown] = turns[1]!.results.map(({ text }) => text);
      expect(ran).toBe('closed 1');
      expect(hidden).toBe(unknown);
      expect(JSON.parse(hidden!)).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    }
  });

  it('never sends what the API refuses, for any source', async () => {
    const anything: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const odd = new FakeSource('odd', [
      { name: 'fine', inputSchema: anything },
      { name: `long.${'name'.repeat(25)}`, inputSchema: anything },
      { name: 'union', inputSchema: { ...anything, anyOf: [{ required: ['a'] }, { required: ['b'] }] } },
      { name: 'no_object', inputSchema: { type: 'string' } },
      { name: 'no_schema', inputSchema: undefined as never },
    ]);
    const { toolbox } = await openToolbox({ sources: [odd], options: { exposure: 'auto' } });
    for (const mode of driver.modes) {
      const script: Script = (turn, step) =>
        step === 0 && mode !== 'all' ? search('what the odd ones do') : said(turn);
      const { turns } = await driver.run(toolbox, { mode, prompt: 'hi', script });
      const names = turns.at(-1)?.tools.map(({ name }) => name);
      expect(names).toContain(mode === 'bridge' ? 'tool_call' : 'odd__fine');
    }
  });

  it('says in words what is wrong with arguments', async () => {
    const source = github();
    const { toolbox } = await openToolbox({ sources: [source] });
    const { answer } = await driver.run(toolbox, {
      mode: 'deferred',
      prompt: 'Close it.',
      script: (turn, step) => (step === 0 ? call('github__close_issue', { number: 'seven' }) : said(turn)),
    });
    expect(JSON.parse(answer)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    expect(source.calls).toEqual([]);
  });
});
