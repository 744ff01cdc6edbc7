import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, inputResponse, Server } from '@modelcontextprotocol/server';
import type { Era } from './wire.js';

const FORM = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
};

const NAMES = ['traceparent', 'tracestate', 'baggage'];

/** An MCP server of one era, with tools that ask the user for a city, one that says how often its tools were listed, and one that never answers. */
export class AskingServer {
  /** Calls that began, in their order. */
  readonly calls: unknown[] = [];
  /** The trace context of each call: in its message, and in the headers of its request. */
  readonly traces: { readonly message: object; readonly headers: object }[] = [];
  #lists = 0;
  #http: HttpServer | undefined;
  readonly #modern = createMcpHandler(() => this.#server(), { legacy: 'reject' });
  readonly #sessions = new Map<string, NodeStreamableHTTPServerTransport>();

  constructor(private readonly era: Era) {}

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    const modern = toNodeHandler(this.#modern);
    this.#http = createServer((request, response) => {
      if (this.era === 'modern') return void modern(request, response);
      const known = this.#sessions.get(String(request.headers['mcp-session-id']));
      if (known) return void known.handleRequest(request, response);
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void this.#sessions.set(id, transport),
      });
      void this.#server()
        .connect(transport)
        .then(() => transport.handleRequest(request, response));
    });
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    await this.#modern.close();
    this.#http?.closeAllConnections();
    this.#http?.close();
  }

  #server(): Server {
    const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => {
      this.#lists += 1;
      return {
        tools: ['ask', 'ask_twice', 'ask_model', 'lists', 'hang'].map((name) => ({
          name,
          description: `Its tool ${name}.`,
          inputSchema: { type: 'object' as const },
        })),
      };
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      this.calls.push(params.arguments);
      const { _meta = {} } = context.mcpReq;
      const headers = context.http?.req?.headers;
      const told = NAMES.filter((name) => name in _meta).map((name) => [name, _meta[name]]);
      const sent = NAMES.flatMap((name) => (headers?.has(name) ? [[name, headers.get(name)]] : []));
      this.traces.push({ message: Object.fromEntries(told) as object, headers: Object.fromEntries(sent) as object });
      if (params.name === 'hang') await new Promise(() => undefined);
      if (params.name === 'lists') return { content: [{ type: 'text', text: `lists: ${this.#lists}` }] };
      if (params.name === 'ask_model') {
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hello?' } }];
        if (this.era === 'legacy') await context.mcpReq.requestSampling({ messages, maxTokens: 10 });
        return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 10 }) } });
      }
      const questions = params.name === 'ask_twice' ? ['Which city?', 'Which other city?'] : ['Which city?'];
      const answers: unknown[] = [];
      const known = (context.mcpReq.requestState() as string | undefined) ?? '[]';
      for (const [index, message] of questions.entries()) {
        if (this.era === 'legacy') {
          answers.push(await context.mcpReq.elicitInput({ message, requestedSchema: FORM }));
          continue;
        }
        const before = JSON.parse(known) as unknown[];
        const given = before[index] ?? inputResponse(context.mcpReq.inputResponses, `city${index}`);
        if ((given as { kind?: string }).kind === 'missing') {
          return inputRequired({
            inputRequests: { [`city${index}`]: inputRequired.elicit({ message, requestedSchema: FORM }) },
            requestState: JSON.stringify(answers),
          });
        }
        answers.push(given);
      }
      return { content: [{ type: 'text', text: JSON.stringify(answers) }] };
    });
    return server;
  }
}
