import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Script, ScriptedReply, ScriptedTurn } from '../adapter-driver.js';
import { checkedChat } from './openai-chat-check.js';
import { OpenAiWireError } from './openai-wire-error.js';

/** One script that a server plays to the client with its API key. */
export interface PlayedConversation {
  readonly apiKey: string;
  /** Input of the model at each step. */
  readonly turns: ScriptedTurn[];
  /** Request bodies at each step. */
  readonly bodies: unknown[];
  /** Errors of the script, and requests that OpenAI would have rejected; tests must check them. */
  readonly faults: unknown[];
}

/**
 * Plays scripts over HTTP in the format of OpenAI's chat completions and rejects invalid requests. Supports concurrent
 * conversations: each has its own API key.
 */
export class OpenAiChatServer {
  readonly #conversations = new Map<string, { readonly script: Script; readonly played: PlayedConversation }>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<OpenAiChatServer> {
    const server = new OpenAiChatServer(createServer());
    server.server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return server;
  }

  /** The SDK's `baseURL`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  play(script: Script): PlayedConversation {
    const played = { apiKey: `sk-${randomUUID()}`, turns: [], bodies: [], faults: [] };
    this.#conversations.set(played.apiKey, { script, played });
    return played;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const conversation = this.#conversations.get(key);
    try {
      const body = await bodyOf(request);
      if (!conversation) throw new OpenAiWireError('Incorrect API key provided.', null, 'invalid_api_key', 401);
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        throw new OpenAiWireError(`Invalid URL (${request.method} ${request.url})`, null, null, 404);
      }
      const { script, played } = conversation;
      played.bodies.push(body);
      const turn = checkedChat(body);
      played.turns.push(turn);
      send(200, completion((body as { model: string }).model, await script(turn, played.turns.length - 1)));
    } catch (error) {
      conversation?.played.faults.push(error);
      if (error instanceof OpenAiWireError) send(error.status, error.body);
      else send(500, { error: { message: String(error), type: 'server_error', param: null, code: null } });
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    throw new OpenAiWireError('We could not parse the JSON body of your request.');
  }
}

/** A reply in the API's format. Text arguments are sent unchanged, JSON or not. */
function completion(model: string, reply: ScriptedReply): object {
  const isCalling = 'calls' in reply;
  const message = {
    role: 'assistant',
    content: isCalling ? null : reply.text,
    refusal: null,
    annotations: [],
    ...(isCalling && {
      tool_calls: reply.calls.map(({ name, arguments: args }) => ({
        id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
      })),
    }),
  };
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: isCalling ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    service_tier: 'default',
  };
}
