import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import { servedHandler } from './served-handler.js';

/** An MCP server with resources, a template and prompts, which a test can change while it runs. */
export class LibraryServer {
  resources: object[] = [
    { uri: 'lib:///guide', name: 'guide', description: 'The guide.', mimeType: 'text/plain', size: 10 },
    { uri: 'lib:///secret', name: 'secret', description: 'For few.' },
  ];
  tools: object[] = [];
  templates: object[] = [{ uriTemplate: 'lib:///{+path}', name: 'any', description: 'Any page.' }];
  prompts: object[] = [
    {
      name: 'review code',
      description: 'Asks for a review.',
      arguments: [{ name: 'language', description: 'Of the code.', required: true }],
    },
  ];
  /** Suggestions for a value. */
  values: (value: string) => string[] | Promise<string[]> = (value) => [`${value}a`, `${value}b`];
  /** URIs that were read, in their order. */
  readonly reads: string[] = [];
  readonly #handler = createMcpHandler(() => this.#server());
  #served: Awaited<ReturnType<typeof servedHandler>> | undefined;

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    this.#served = await servedHandler(this.#handler);
    return this.#served.url;
  }

  /** Announces changed lists. */
  announce(): void {
    this.#handler.notify.resourcesChanged();
    this.#handler.notify.promptsChanged();
  }

  /** Reports an update of a resource. */
  update(uri: string): void {
    this.#handler.notify.resourceUpdated(uri);
  }

  async stop(): Promise<void> {
    await this.#served?.stop();
  }

  #server(): Server {
    const server = new Server(
      { name: 'library', version: '1' },
      {
        capabilities: {
          tools: {},
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
          completions: {},
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: this.tools as never }));
    server.setRequestHandler('resources/list', () => ({ resources: this.resources as never }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: this.templates as never }));
    server.setRequestHandler('prompts/list', () => ({ prompts: this.prompts as never }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      this.reads.push(uri);
      if (uri === 'lib:///missing') throw new ProtocolError(-32602, 'not here');
      if (uri === 'lib:///long') return { contents: [{ uri, text: 'x'.repeat(2_000_000) }] };
      return { contents: [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }] };
    });
    server.setRequestHandler('completion/complete', async ({ params: { argument } }) => ({
      completion: { values: await this.values(argument.value), hasMore: false },
    }));
    server.setRequestHandler('prompts/get', ({ params }) => ({
      description: 'A review.',
      messages: [
        { role: 'user', content: { type: 'text', text: `Review this ${params.arguments?.['language']}.` } },
        { role: 'assistant', content: { type: 'text', text: 'Show it.' } },
      ],
    }));
    return server;
  }
}
