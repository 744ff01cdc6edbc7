import {
  getUiCapability,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { servedHandler } from './served-handler.js';

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
  #served: Awaited<ReturnType<typeof servedHandler>> | undefined;

  /** @param others further resources, which another server may have too */
  constructor(private readonly others: readonly string[] = []) {}

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    this.#served = await servedHandler(this.#handler);
    return this.#served.url;
  }

  async stop(): Promise<void> {
    await this.#served?.stop();
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
