import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Script, ScriptedReply, ScriptedTurn } from '../adapter-driver.js';
import { RefusedRequest, textIn } from './responses-fields.js';
import { checkedRequest, type CheckedResponsesRequest } from './responses-rules.js';

/** One conversation with the model. */
interface Conversation {
  readonly script: Script;
  readonly turns: ScriptedTurn[];
  readonly requests: CheckedResponsesRequest[];
}

/** A rejected request. */
export interface Refusal {
  readonly message: string;
  readonly param: string;
}

/**
 * OpenAI's `POST /v1/responses`, played by scripts: rejects invalid requests, passes the model's input to the script
 * and returns the script's reply. The API key identifies the conversation.
 */
export class OpenAiResponsesServer {
  /** Requests that the API would have rejected; an error of the driver. */
  readonly refused: Refusal[] = [];
  readonly #conversations = new Map<string, Conversation>();
  readonly #server: Server;
  #ids = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const answer = async () => {
        if (request.method !== 'POST' || request.url !== '/v1/responses') return { status: 404, body: { error: {} } };
        const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
        return this.#answer(key, await readText(request));
      };
      void answer().then(
        ({ status, body }) => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        },
        (error: unknown) => {
          response.writeHead(500).end(String(error));
        },
      );
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Starts a conversation. @returns its API key and its recorded steps */
  converse(script: Script): Conversation & { readonly apiKey: string } {
    const conversation = { script, turns: [], requests: [] };
    const apiKey = `sk-conversation-${++this.#ids}`;
    this.#conversations.set(apiKey, conversation);
    return { ...conversation, apiKey };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(key: string, json: string): Promise<{ status: number; body: object }> {
    const conversation = this.#conversations.get(key);
    if (!conversation) return errorAnswer(401, 'Incorrect API key provided.', null);
    let request: CheckedResponsesRequest;
    try {
      request = checkedRequest(JSON.parse(json));
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      this.refused.push({ message: error.message, param: error.param });
      return errorAnswer(400, error.message, error.param);
    }
    const turn = turnOf(request);
    conversation.requests.push(request);
    conversation.turns.push(turn);
    const reply = await conversation.script(turn, conversation.turns.length - 1);
    return { status: 200, body: this.#responseOf(request, reply) };
  }

  #responseOf(request: CheckedResponsesRequest, reply: ScriptedReply): object {
    const output = 'text' in reply ? [this.#message(reply.text)] : reply.calls.map((call) => this.#call(request, call));
    return {
      id: this.#id('resp'),
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model: request.model,
      output,
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    };
  }

  #message(text: string): object {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
    return { id: this.#id('msg'), type: 'message', role: 'assistant', status: 'completed', content };
  }

  #call({ search, declared, loaded }: CheckedResponsesRequest, call: { name: string; arguments: unknown }): object {
    const callId = this.#id('call');
    if (call.name === 'tool_search' && search) {
      const id = this.#id('tsc');
      return {
        id,
        type: 'tool_search_call',
        execution: 'client',
        call_id: callId,
        status: 'completed',
        arguments: call.arguments,
      };
    }
    const { namespace } = [...declared, ...loaded].find(({ name }) => name === call.name) ?? {};
    return {
      id: this.#id('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: callId,
      name: call.name,
      ...(namespace !== undefined && { namespace }),
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    };
  }

  #id(prefix: string): string {
    return `${prefix}_${(++this.#ids).toString().padStart(8, '0')}`;
  }
}

/** The model's input. Includes deferred functions only after a search has loaded them. */
function turnOf({ instructions, declared, loaded, search, items }: CheckedResponsesRequest): ScriptedTurn {
  const functions = [...declared.filter(({ isDeferred }) => !isDeferred), ...loaded];
  const tools = functions.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
  const { description = '', parameters = {} } = search ?? {};
  const lastSaid = items.findLastIndex(
    ({ type, role }) => type === 'function_call' || type === 'tool_search_call' || role === 'assistant',
  );
  const calls = items.filter(({ type }) => type === 'function_call' || type === 'tool_search_call');
  const names = new Map(calls.map(({ call_id: id, name }) => [id, typeof name === 'string' ? name : 'tool_search']));
  const results = items.slice(lastSaid + 1).flatMap(({ type, call_id: id, output, tools: found }) => {
    if (type === 'function_call_output') return [{ name: names.get(id) ?? '', text: textIn(output) }];
    if (type === 'tool_search_output') return [{ name: 'tool_search', text: JSON.stringify(found) }];
    return [];
  });
  const listed = search ? [{ name: 'tool_search', description, inputSchema: parameters }, ...tools] : tools;
  return { tools: listed, instructions, results };
}

function errorAnswer(status: number, message: string, param: string | null): { status: number; body: object } {
  return { status, body: { error: { message, type: 'invalid_request_error', param, code: null } } };
}
