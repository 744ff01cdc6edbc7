import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stands between clients and an MCP server, passes everything on, and notes which protocol version a client uses. */
export class WireRecorder {
  /** Address of the server, without a path. */
  target = '';
  /** The protocol version of the latest request that named one. */
  era = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WireRecorder> {
    const server = createServer();
    const recorder = new WireRecorder(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      recorder.#pass(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recorder;
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

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const body = await text(request);
    this.era = versionOf(headers['mcp-protocol-version'], body) ?? this.era;
    const { host } = new URL(this.target);
    const onward = requestTo(new URL(request.url ?? '/', this.target), { method, headers: { ...headers, host } });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // A stream that opens without an event must reach the client at once.
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    // A client that closes a stream cancels the request.
    response.on('close', () => onward.destroy());
    onward.end(body);
  }
}

// Some clients do not repeat the version after `initialize`.
function versionOf(header: string | string[] | undefined, body: string): string | undefined {
  if (typeof header === 'string') return header;
  return body.includes('"initialize"') ? /"protocolVersion":\s*"([^"]+)"/.exec(body)?.[1] : undefined;
}
