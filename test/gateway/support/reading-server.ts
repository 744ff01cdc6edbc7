import { posix } from 'node:path';
import { createMcpHandler, McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { servedHandler } from './served-handler.js';

/** How a server finds the file of a URI: by its path, by the whole address, or by the variables of the template. */
export const READERS = ['pathname', 'href', 'variables'] as const;
export type Reader = (typeof READERS)[number];

/**
 * A server made with the SDK that lists its files and has templates over all of them. Like many, it decodes what it reads,
 * resolves it below its folder, and lies on a file system without case.
 */
export class ReadingServer {
  #served: Awaited<ReturnType<typeof servedHandler>> | undefined;
  readonly #handler = createMcpHandler(() => this.#server());

  /** @param files content by URI */
  constructor(
    private readonly reader: Reader,
    private readonly files: Readonly<Record<string, string>>,
    private readonly templates: readonly string[],
  ) {}

  /** Starts on a free port. Returns the address. */
  async start(): Promise<string> {
    this.#served = await servedHandler(this.#handler);
    return this.#served.url;
  }

  async stop(): Promise<void> {
    await this.#served?.stop();
  }

  /** The content that the server has for a URI; undefined if there is none. */
  contentOf(uri: string): string | undefined {
    if (!URL.canParse(uri)) return undefined;
    const url = new URL(uri);
    const own = this.files[url.href];
    if (own !== undefined) return own;
    const variables = this.templates
      .map((template) => new ResourceTemplate(template, { list: undefined }).uriTemplate.match(url.href))
      .find((match) => match !== null);
    return variables && this.#read(url, variables);
  }

  #read(url: URL, variables: Readonly<Record<string, string | readonly string[]>>): string | undefined {
    const place = { pathname: url.pathname, href: url.href, variables: Object.values(variables).flat().join('/') };
    const wanted = this.#place(place[this.reader]);
    return Object.entries(this.files).find(([uri]) => {
      const { pathname, href } = new URL(uri);
      return this.#place(this.reader === 'href' ? href : pathname) === wanted;
    })?.[1];
  }

  #place(text: string): string {
    const path = this.reader === 'href' ? text : `/${text}`;
    return posix.normalize(decoded(path)).normalize('NFC').toLowerCase().replace(/\/$/, '');
  }

  #server(): McpServer {
    const server = new McpServer({ name: 'files', version: '1' }, { capabilities: { resources: {} } });
    for (const [uri, text] of Object.entries(this.files)) {
      server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text }] }));
    }
    for (const template of this.templates) {
      server.registerResource(template, new ResourceTemplate(template, { list: undefined }), {}, (url, variables) => {
        const text = this.#read(url, variables);
        if (text === undefined) throw new ResourceNotFoundError(url.href);
        return { contents: [{ uri: url.href, text }] };
      });
    }
    return server;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
