import OpenAI from 'openai';
import { OpenAiResponsesServer } from '../support/adapters/openai/openai-responses-server.js';

const OBJECT = { type: 'object', properties: {} };
const plain = (name: string, more = {}) => ({
  type: 'function',
  name,
  description: 'It.',
  parameters: OBJECT,
  ...more,
});
const SEARCH = { type: 'tool_search', execution: 'client', description: 'Find.', parameters: OBJECT };
const called = { type: 'function_call', call_id: 'c1', name: 'a', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'done' };
const searched = { type: 'tool_search_call', call_id: 's1', execution: 'client', arguments: { query: 'a' } };
const found = (...tools: unknown[]) => ({ type: 'tool_search_output', call_id: 's1', execution: 'client', tools });
const inside = (...tools: unknown[]) => ({ type: 'namespace', name: 'space', description: 'Its.', tools });

const BROKEN: Record<string, Record<string, unknown>> = {
  'a field nobody knows': { input: 'hi', toolz: [] },
  'a name with a dot': { input: 'hi', tools: [plain('a.b')] },
  'a name of 65 characters': { input: 'hi', tools: [plain('a'.repeat(65))] },
  'a name twice': { input: 'hi', tools: [plain('a'), plain('a')] },
  '129 tools': { input: 'hi', tools: Array.from({ length: 129 }, (_, n) => plain(`a${n}`)) },
  'a union at the root': { input: 'hi', tools: [plain('a', { parameters: { ...OBJECT, anyOf: [] } })] },
  'a root that is no object': { input: 'hi', tools: [plain('a', { parameters: { type: 'array' } })] },
  'a description that is too long': { input: 'hi', tools: [plain('a', { description: 'a'.repeat(1025) })] },
  'a type of tool nobody knows': { input: 'hi', tools: [{ type: 'fun', name: 'a' }] },
  'deferred tools without a search': { input: 'hi', tools: [plain('a', { defer_loading: true })] },
  'a hosted search without deferred tools': { input: 'hi', tools: [{ type: 'tool_search' }] },
  'a namespace without tools': { input: 'hi', tools: [inside()] },
  'a type of item nobody knows': { input: [{ type: 'tool_result' }] },
  'a call without its output': { input: [called] },
  'a call answered twice': { input: [called, output, output] },
  'an output without its call': { input: [output] },
  'an output before its call': { input: [output, called] },
  'a search answered as a function': { input: [searched, { ...output, call_id: 's1' }], tools: [SEARCH] },
  'a found tool without a search in tools': { input: [searched, found(plain('a'))] },
  'a found tool with an illegal name': { input: [searched, found(inside(plain('a.b')))], tools: [SEARCH] },
  'a tool both listed and loaded': { input: [searched, found(plain('a'))], tools: [SEARCH, plain('a')] },
  'an image the API does not read': {
    input: [called, { ...output, output: [{ type: 'input_image', image_url: 'data:image/tiff;base64,AA==' }] }],
  },
};

describe('the server that plays the Responses API', () => {
  let server: OpenAiResponsesServer;
  beforeAll(async () => {
    server = await new OpenAiResponsesServer().listen();
  });
  afterAll(() => server.close());

  const send = (body: Record<string, unknown>) => {
    const { apiKey, turns } = server.converse(() => ({ text: 'hello' }));
    const client = new OpenAI({ apiKey, baseURL: server.baseURL, maxRetries: 0 });
    return { turns, response: client.responses.create({ model: 'm', ...body } as never) };
  };

  it.each(Object.entries(BROKEN))('refuses %s', async (_, body) => {
    const { turns, response } = send(body);
    await expect(response).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(turns).toEqual([]);
  });

  it('shows a model loaded tools, and only the names of deferred ones', async () => {
    const tools = [SEARCH, plain('open'), inside(plain('held_back', { defer_loading: true }))];
    const { turns, response } = send({ input: [called, output, searched, found(inside(plain('b')))], tools });
    await expect(response).resolves.toMatchObject({ output_text: 'hello' });
    expect(turns[0]?.tools.map(({ name }) => name)).toEqual(['tool_search', 'open', 'b']);
    expect(turns[0]?.results.map(({ name }) => name)).toEqual(['tool_search']);
  });
});
