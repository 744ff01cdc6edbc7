import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropicMessages } from './anthropic-messages.js';
import { geminiContent } from './gemini-content.js';
import { type ModelReply, type ModelTurn, type ModelWire, objectOf, type WireAnswer } from './model-wire.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

/** Decides the next step from the conversation so far. Clients repeat requests, so equal turns need equal replies. */
export type ModelScript = (turn: ModelTurn) => ModelReply | Promise<ModelReply>;

const WIRES: readonly ModelWire[] = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

/** A model server on the loopback interface that plays a script in the wire format that the client speaks. */
export class ScriptedModel {
  /** Requests for other routes, for example `GET /v1/models`. They are answered with 404. */
  readonly unknown: string[] = [];
  #ids = 0;

  private constructor(
    private readonly server: Server,
    private readonly script: ModelScript,
  ) {}

  static async start(script: ModelScript): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server, script);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      model.#respond(request, response).catch((error: unknown) => {
        response.writeHead(500).end(JSON.stringify({ error: { message: String(error) } }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return model;
  }

  /** Without a path. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const { pathname } = new URL(request.url ?? '/', this.url);
    const wire = WIRES.find((known) => known.matches(method, pathname));
    if (!wire) {
      this.unknown.push(`${method} ${pathname}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}');
      return;
    }
    const body = objectOf(JSON.parse(await text(request)));
    const answer = wire.answerOf(body, await this.script(wire.turnOf(body)), `${++this.#ids}`);
    if (wire.streams(pathname, body)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(eventStream(answer));
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
  }
}

function eventStream({ events }: WireAnswer): string {
  return events
    .map(({ event, data }) => {
      const name = event === undefined ? '' : `event: ${event}\n`;
      return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
    })
    .join('');
}
