import type { McpTool } from '../tools/tool-declaration.js';
import type { PageReader } from './page-declaration.js';

/** Pages of one list whose own entries are kept: more tools than that are refused by the usual limit. */
const MAX_LISTED = 1_000;

/** The pages that the tools of a list name. A server need not list them; where it does, the entry says more of them. */
export class NamedPages {
  readonly #listed = new Map<string, unknown>();

  constructor(private readonly readPage: PageReader) {}

  /** Keeps what a server lists, if it may be a page. */
  list(uri: string, raw: unknown): void {
    if (uri.startsWith('ui://') && this.#listed.size < MAX_LISTED) this.#listed.set(uri, raw);
  }

  /**
   * Returns the pages that tools name, each once, and the tools and items without those that are such a page.
   *
   * @param earlier the page of the last list, where this list of resources broke off
   */
  of(
    read: readonly McpTool[],
    server: string | undefined,
    earlier: (name: string) => McpTool | undefined,
  ): { readonly pages: readonly McpTool[]; readonly rest: readonly McpTool[] } {
    const named = new Set(read.flatMap(({ pageUri }) => pageUri ?? []));
    if (named.size === 0) return { pages: [], rest: read };
    const pages = [...named].flatMap((uri) => {
      const entry = this.#listed.get(uri);
      const page = this.readPage(entry ?? { uri }, server);
      return (entry === undefined && page && earlier(page.declaration.name)) || (page ?? []);
    });
    return { pages, rest: read.filter(({ kind, rawName }) => kind !== 'resource' || !named.has(rawName)) };
  }
}
