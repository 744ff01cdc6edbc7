import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Script, ScriptedReply, ScriptedTurn } from '../adapter-driver';
import { type AnthropicWireRequest, readRequest, turnOf } from './anthropic-wire';
import { Refused } from './wire-tool';

/** A scripted model behind the Messages API. Rejects invalid requests with the same error format as Anthropic. */
export class AnthropicServer {
  /** Input of the model at each step. */
  readonly turns: ScriptedTurn[] = [];
  /** Accepted requests. */
  readonly requests: AnthropicWireRequest[] = [];
  readonly bodies: Record<string, unknown>[] = [];

  private constructor(
    private readonly script: Script,
    private readonly server: Server,
  ) {}

  static async start(script: Script): Promise<AnthropicServer> {
    const server = createServer();
    const scripted = new AnthropicServer(script, server);
    server.on('request', (request: IncomingMessage, response) => {
      void scripted
        .#answer(request)
        .catch((error: unknown) => errorOf(error))
        .then(({ status, body }) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return scripted;
  }

  /** Without `/v1`. */
  get baseURL(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { method, url, headers } = request;
    const isMessages = url === '/v1/messages' || url === '/v1/messages?beta=true';
    if (method !== 'POST' || !isMessages) return refusal(404, 'not_found_error', `${method} ${url}`);
    if (!headers['x-api-key'] && !headers.authorization) {
      return refusal(401, 'authentication_error', 'x-api-key header is required');
    }
    if (!headers['anthropic-version']) throw new Refused('anthropic-version: header is required');
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    this.bodies.push(body);
    const betas = String(headers['anthropic-beta'] ?? '').split(',');
    const read = readRequest(body, new Set(betas.map((beta) => beta.trim())));
    const turn = turnOf(read);
    this.requests.push(read);
    const step = this.turns.push(turn) - 1;
    return { status: 200, body: messageOf(read.model, step, await this.script(turn, step)) };
  }
}

function messageOf(model: string, step: number, reply: ScriptedReply): unknown {
  const isCall = 'calls' in reply;
  const content = isCall
    ? reply.calls.map(({ name, arguments: input }, index) => ({
        type: 'tool_use',
        // Unique, because a conversation may continue on another server.
        id: `toolu_${randomUUID()}_${index}`,
        name,
        input,
      }))
    : [{ type: 'text', text: reply.text }];
  return {
    id: `msg_${step}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function errorOf(error: unknown): { status: number; body: unknown } {
  if (error instanceof Refused) return refusal(400, 'invalid_request_error', error.message);
  return refusal(500, 'api_error', error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function refusal(status: number, type: string, message: string): { status: number; body: unknown } {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
