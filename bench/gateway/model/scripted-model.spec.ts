import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ModelReply, ModelTurn } from './model-wire';
import { ScriptedModel } from './scripted-model';

const model = 'scripted';
const schema = { type: 'object' as const, properties: {} };
const turns: ModelTurn[] = [];
let reply: ModelReply;
let server: ScriptedModel;

beforeAll(async () => {
  server = await ScriptedModel.start((turn) => {
    turns.push(turn);
    return reply;
  });
});
afterAll(() => server.close());

describe('the scripted model, read by the official clients', () => {
  it('speaks the Messages API, as one answer and as a stream', async () => {
    const client = new Anthropic({ baseURL: server.url, apiKey: 'made-up', maxRetries: 0 });
    const request = {
      model,
      max_tokens: 100,
      tools: [{ name: 'mcp__toolbox__find', input_schema: schema }],
      messages: [
        { role: 'user' as const, content: 'Find it.' },
        { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 't1', name: 'x', input: {} }] },
        { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: 't1', content: 'found' }] },
      ],
    };
    reply = { call: { name: 'mcp__toolbox__find' }, arguments: { query: 'ä "b"' } };
    for (const message of [
      await client.messages.create(request),
      await client.messages.stream(request).finalMessage(),
    ]) {
      expect(message.stop_reason).toBe('tool_use');
      expect(message.content).toMatchObject([
        { type: 'tool_use', name: 'mcp__toolbox__find', input: { query: 'ä "b"' } },
      ]);
    }
    reply = { text: 'Done.' };
    const last = await client.messages.stream(request).finalMessage();
    expect(last.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    expect(turns.splice(0)).toEqual(Array(3).fill({ offered: [{ name: 'mcp__toolbox__find' }], results: ['found'] }));
  });

  it('speaks the Responses API, with tools in namespaces', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'made-up', maxRetries: 0 });
    const namespace = { type: 'namespace', name: 'mcp__toolbox', tools: [{ type: 'function', name: 'find' }] };
    const request: any = {
      model,
      tools: [namespace, { type: 'function', name: 'own', parameters: schema, strict: false }],
      input: [{ type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'found' }] }],
    };
    reply = { call: { name: 'find', namespace: 'mcp__toolbox' }, arguments: { query: 'b' } };
    const whole = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    for (const { output } of [whole, streamed]) {
      expect(output).toMatchObject([
        { type: 'function_call', name: 'find', namespace: 'mcp__toolbox', arguments: '{"query":"b"}' },
      ]);
    }
    reply = { text: 'Done.' };
    expect((await client.responses.create(request)).output_text).toBe('Done.');
    const offered = [{ name: 'find', namespace: 'mcp__toolbox' }, { name: 'own' }];
    expect(turns.splice(0)).toEqual(Array(3).fill({ offered, results: ['found'] }));
  });

  it('speaks chat completions, as one answer and as a stream', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'made-up', maxRetries: 0 });
    const request = {
      model,
      tools: [{ type: 'function' as const, function: { name: 'toolbox_find', parameters: schema } }],
      messages: [{ role: 'tool' as const, tool_call_id: 'c1', content: 'found' }],
    };
    reply = { call: { name: 'toolbox_find' }, arguments: { query: 'b' } };
    const whole = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'toolbox_find', arguments: '{"query":"b"}' } }] },
      });
    }
    reply = { text: 'Done.' };
    const last = await client.chat.completions.stream(request).finalChatCompletion();
    expect(last.choices[0]?.message.content).toBe('Done.');
    expect(turns.splice(0)).toEqual(Array(3).fill({ offered: [{ name: 'toolbox_find' }], results: ['found'] }));
  });

  it('speaks generateContent, as one answer and as a stream', async () => {
    const ask = (operation: string) =>
      fetch(`${server.url}/v1beta/models/${model}:${operation}`, {
        method: 'POST',
        body: JSON.stringify({
          tools: [{ functionDeclarations: [{ name: 'mcp_toolbox_find' }] }],
          contents: [{ role: 'user', parts: [{ functionResponse: { name: 'x', response: { output: 'found' } } }] }],
        }),
      });
    reply = { call: { name: 'mcp_toolbox_find' }, arguments: { query: 'b' } };
    const expected = { functionCall: { name: 'mcp_toolbox_find', args: { query: 'b' } } };
    const whole = await ask('generateContent');
    expect(await whole.json()).toMatchObject({ candidates: [{ content: { parts: [expected] } }] });
    const streamed = await ask('streamGenerateContent?alt=sse');
    const [, data = ''] = /^data: (.+)\n\n$/.exec(await streamed.text()) ?? [];
    expect(JSON.parse(data)).toMatchObject({ candidates: [{ content: { parts: [expected] } }] });
    expect(turns.splice(0)).toEqual(Array(2).fill({ offered: [{ name: 'mcp_toolbox_find' }], results: ['found'] }));
  });

  it('notes routes that it does not know', async () => {
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
    expect(server.unknown).toEqual(['GET /v1/models']);
  });
});
