import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import type {
  ContainerParams,
  MessageCreateParams,
  MessageParam,
  ToolUnion,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { anthropic } from '../anthropic.js';

const CODE = { type: 'code_execution_20260120', name: 'code_execution' } as const;
const CALLERS = ['direct', 'code_execution_20260120'];
const FROM_CODE = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' } as const;
const CODE_BLOCK = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} };
const CODE_RESULT = { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: {} };
const ASKED: MessageParam[] = [{ role: 'user', content: 'x' }];

describe('calls from code that Claude writes', () => {
  it('are off unless the application asks for them', async () => {
    const { tools, ran } = await world({ tools: [CODE] });
    const { tools: declared } = await tools.request({ messages: ASKED });
    expect(JSON.stringify(declared)).not.toContain('allowed_callers');

    expect((await tools.answer({ content: [use('db__count')] })).content).toMatchObject([{ is_error: true }]);
    expect(ran).toEqual([]);
  });

  it('are allowed to tools that only read, and to no meta tool', async () => {
    const { tools } = await world({ tools: [CODE], programCalls: {} });
    const { tools: declared = [] } = await tools.request({ messages: ASKED });
    expect(callersIn(declared)).toEqual({ db__add: CALLERS, db__count: CALLERS });
    expect(declared.map((tool) => 'name' in tool && tool.name)).toEqual(
      expect.arrayContaining(['tool_search', 'db__drop', 'db__send', 'db__count']),
    );
  });

  it('are allowed to other tools by their canonical names', async () => {
    const { tools, ran } = await world({ tools: [CODE], programCalls: { tools: ['db.dr?p'] } });
    const { tools: declared = [] } = await tools.request({ messages: ASKED });
    expect(Object.keys(callersIn(declared))).toEqual(['db__add', 'db__count', 'db__drop']);
    await tools.answer({ content: [use('db__drop'), use('db__send')] });
    expect(ran).toEqual(['drop']);
  });

  it('are refused for other tools exactly as for unknown ones', async () => {
    const { tools, ran } = await world({ tools: [CODE], programCalls: {} });
    const direct = { ...use('db__drop'), caller: { type: 'direct' as const } };
    const { content } = await tools.answer({
      content: [use('db__count'), use('db__drop'), use('no__such'), use('tool_search'), direct],
    });
    const [counted, dropped, unknown, searched, called] = content;
    expect(counted).not.toHaveProperty('is_error');
    expect(dropped).toMatchObject({ is_error: true, content: expect.stringContaining('directly') as string });
    expect([unknown, searched]).toEqual([dropped, dropped]);
    expect(called).not.toHaveProperty('is_error');
    expect(ran).toEqual(['count', 'drop']);
  });

  it('are refused once the tool is switched off', async () => {
    const { tools, ran, policies } = await world({ tools: [CODE], programCalls: {} });
    await tools.request({ messages: ASKED });
    policies.setTenant('acme', { deny: ['db.count'] });
    expect((await tools.answer({ content: [use('db__count')] })).content).toMatchObject([{ is_error: true }]);
    expect(ran).toEqual([]);
  });

  it('are answered by a message that contains only results', async () => {
    const { tools } = await world({ tools: [CODE], programCalls: {}, prompt: 'end' });
    const call = use('db__count');
    const answer = await tools.answer({ content: [call] });
    const conversation = (block: ToolUseBlock): MessageParam[] => [
      ...ASKED,
      { role: 'assistant', content: [block] },
      answer,
    ];
    const fromCode = await tools.request({ messages: conversation(call) });
    expect(fromCode.messages.at(-1)?.content).toHaveLength(1);
    const direct = await tools.request({ messages: conversation({ ...call, caller: { type: 'direct' } }) });
    expect(direct.messages.at(-1)?.content).toHaveLength(2);
  });

  it('show no tool list to the model, so they count as no step', async () => {
    const { tools, surface } = await world({ tools: [CODE], programCalls: {} });
    await tools.request({ messages: ASKED });
    await tools.answer({ content: [use('db__count'), use('db__drop')] });
    expect(surface).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an id', 'container_0', 'container_1'],
    [
      'skills',
      { skills: [{ type: 'anthropic', skill_id: 'pdf' }] },
      { skills: [{ type: 'anthropic', skill_id: 'pdf' }], id: 'container_1' },
    ],
  ] as const)('go on in the container that the reply names, where the run was given %s', async (_, given, then) => {
    const { tools } = await world({ tools: [CODE], programCalls: {} });
    const { client, bodies, close } = await provider([
      {
        content: [CODE_BLOCK, use('db__count')],
        stop_reason: 'tool_use',
        container: { id: 'container_1', expires_at: '' },
      },
      { content: [CODE_RESULT], stop_reason: 'end_turn', container: null },
    ]);
    try {
      await tools.run(client, {
        model: 'claude-test',
        max_tokens: 9,
        messages: ASKED,
        container: given as ContainerParams,
      });
    } finally {
      await close();
    }
    expect(bodies.map(({ container }) => container)).toEqual([given, then]);
  });

  it('leave no open code in a conversation that has no steps left', async () => {
    const { tools } = await world({ tools: [CODE], programCalls: {} });
    const text = { type: 'text', text: 'I count.' };
    const waiting = { content: [text, CODE_BLOCK, use('db__count')], stop_reason: 'tool_use', container: null };
    const again = { content: [{ ...use('db__count'), id: 'toolu_2' }], stop_reason: 'tool_use', container: null };
    const over = { content: [CODE_RESULT, { type: 'text', text: 'seven' }], stop_reason: 'end_turn', container: null };
    const conversations = [];
    for (const replies of [[waiting], [waiting, again], [waiting, again, over]]) {
      const { client, close } = await provider(replies);
      const params = { model: 'claude-test', max_tokens: 9, messages: ASKED, maxSteps: replies.length };
      conversations.push((await tools.run(client, params).finally(close)).messages);
    }
    const cut = [...ASKED, { role: 'assistant', content: [text] }];
    expect(conversations.slice(0, 2)).toEqual([cut, cut]);
    expect(conversations[2]).toHaveLength(6);
  });

  it('need exactly one code execution tool and valid globs', async () => {
    const { toolbox } = await openToolbox();
    const older = { type: 'code_execution_20250825', name: 'code_execution' } as const;
    const wrong: Parameters<typeof anthropic>[1][] = [
      { programCalls: {} },
      { programCalls: {}, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { programCalls: {}, tools: [CODE, older] },
      { programCalls: { tools: ['db drop'] }, tools: [CODE] },
    ];
    for (const options of wrong) {
      expect(() => anthropic(toolbox, options)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION' }) as Error,
      );
    }
  });

  it('reach the provider as its SDK sends them, and go on in the same container', async () => {
    const { tools } = await world({ tools: [CODE], programCalls: {} });
    const { client, bodies, close } = await provider([
      { content: [use('db__count')], stop_reason: 'tool_use', container: { id: 'container_1', expires_at: '' } },
      { content: [{ type: 'text', text: 'seven' }], stop_reason: 'end_turn', container: null },
    ]);
    try {
      const run = await tools.run(client, { model: 'claude-test', max_tokens: 9, messages: ASKED });
      expect(run.text).toBe('seven');
    } finally {
      await close();
    }
    const [first, second] = bodies;
    expect(callersIn(first?.tools ?? [])).toEqual({ db__add: CALLERS, db__count: CALLERS });
    expect(first).not.toHaveProperty('container');
    expect(second).toMatchObject({ container: 'container_1' });
    expect(second?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }],
    });
  });
});

function use(name: string): ToolUseBlock {
  return { type: 'tool_use', id: 'toolu_1', name, input: {}, caller: FROM_CODE };
}

function callersIn(tools: readonly ToolUnion[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    tools.flatMap((tool) =>
      'allowed_callers' in tool && tool.allowed_callers ? [[tool.name, tool.allowed_callers]] : [],
    ),
  );
}

async function world(options: Parameters<typeof anthropic>[1]) {
  const ran: string[] = [];
  const kinds = { add: 'pure', count: 'read', drop: 'write', keep: 'stateful', send: 'external' } as const;
  const declared = Object.entries(kinds).map(([name, sideEffects]) => ({
    name,
    sideEffects,
    run: () => {
      ran.push(name);
      return 'done';
    },
  }));
  const db = new FakeSource('db', declared, { loading: 'always' });
  const { toolbox, policies } = await openToolbox({ sources: [db], options: { exposure: 'deferred' } });
  const surface = jest.spyOn(toolbox, 'surface');
  return { tools: anthropic(toolbox, options), ran, policies, surface };
}

/** A server on this machine that answers like the provider, and keeps what the SDK sent. */
async function provider(replies: readonly object[]) {
  const bodies: MessageCreateParams[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const reply = replies[bodies.push(JSON.parse(text) as MessageCreateParams) - 1];
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Anthropic({ apiKey: 'none', baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { client, bodies, close };
}
