import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  getUiCapability,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The server's own address of its page. */
export const VIEW = 'ui://weather/view.html';
export const HTML = '<!doctype html><title>Weather</title>';
const INPUT = z.object({ city: z.string() });

/** An MCP server with a page, made with the helpers of MCP Apps, which a test can change while it runs. */
export class WeatherServer {
  /** What the content of the page says of itself. */
  ui: object | undefined = {
    csp: { connectDomains: ['https://api.example.com', 'http://plain.example.com'] },
    domain: 'x.example.com',
  };
  /** What stands in the place of the page, if anything does. */
  page: { uri: string; mimeType: string; text: string } | undefined;
  /** URIs that were read, in their order. */
  readonly reads: string[] = [];
  /** Names of tools that were called, in their order. */
  readonly calls: string[] = [];
  /** The types of pages that the gateway has announced in the last request that was greeted. */
  announced: readonly string[] | undefined;
  readonly #handler = createMcpHandler(() => this.#server());
  #http: HttpServer | undefined;

  /** @param others further resources, which another server may have too */
  constructor(private readonly others: readonly string[] = []) {}

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    const handle = toNodeHandler(this.#handler);
    this.#http = createServer((request, response) => void handle(request, response));
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    await this.#handler.close();
    this.#http?.closeAllConnections();
    this.#http?.close();
  }

  #server(): McpServer {
    const server = new McpServer({ name: 'weather', version: '1' });
    const answer = (name: string) => {
      this.calls.push(name);
      this.announced = getUiCapability(server.server.getClientCapabilities())?.mimeTypes;
      return { content: [{ type: 'text' as const, text: `${name} is sunny` }] };
    };
    const forecast = {
      description: 'Shows the weather of a city.',
      inputSchema: INPUT,
      _meta: { ui: { resourceUri: VIEW } },
    };
    registerAppTool(server, 'forecast', forecast, ({ city }) => answer(`forecast of ${city}`));
    const refresh = {
      description: 'Refreshes the weather.',
      _meta: { ui: { resourceUri: VIEW, visibility: ['app' as const] } },
    };
    registerAppTool(server, 'refresh', refresh, () => answer('refresh'));
    server.registerTool('plain', { description: 'Has no page.', _meta: { 'x/secret': 'of the server' } }, () =>
      answer('plain'),
    );
    for (const uri of [VIEW, ...this.others]) {
      // Its types are those of ES modules, which TypeScript takes for another class.
      registerAppResource(
        server as never,
        uri,
        uri,
        { description: 'The map.', _meta: { ui: { prefersBorder: true } } },
        () => {
          this.reads.push(uri);
          const text = uri === VIEW ? HTML : 'another page';
          const page = this.page ?? { uri, mimeType: RESOURCE_MIME_TYPE, text };
          return { contents: [{ ...page, ...(this.ui && { _meta: { ui: this.ui } }) }] };
        },
      );
    }
    return server;
  }
}
