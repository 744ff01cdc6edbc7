import { isToolSearchError, type ToolDeclaration, ToolSearchError } from '@tool-search/core';
import { sourceLimits, type SourceLimits, TimeSlicer, withDefaults } from '@tool-search/core/internal';
import type { McpConnection } from '../connection/mcp-connection.js';
import { isTooLarge, NoList } from '../errors/error-kinds.js';
import { brokenList, loadFailure } from '../errors/mcp-errors.js';
import { addItems } from '../items/add-items.js';
import type { ItemList } from '../items/exposed-items.js';
import type { ListedTools } from './listed-tools.js';
import { SLICE_MS } from './tool-pages.js';

/** Hints of a source without tools. */
const NO_TOOLS =
  'The server says that it has no tools: its capabilities do not name them. If it should have some, look at its own settings.';
const NULL_TOOLS = 'The server answered the request for its list of tools with null: it has none.';

interface ListOptions {
  /** Name of the source. */
  readonly name: string;
  readonly limits?: SourceLimits | undefined;
  /** Timeout of the first page. */
  readonly loadTimeoutMs: number;
}

interface Listing {
  readonly signal: AbortSignal;
  /** The monotonic time at which the load has to end. */
  readonly until: number;
  /** Whether the list was asked for before, in a session that was lost. */
  readonly isAgain: boolean;
}

/** Reads the tools of a server, and the context items that it may offer, and keeps what operators should know of them. */
export class ServerLists {
  #broken: ToolSearchError | undefined;
  #hint: string | undefined;
  readonly #limit: number;

  constructor(
    private readonly options: ListOptions,
    private readonly tools: ListedTools,
    private readonly items: readonly ItemList[],
  ) {
    this.#limit = withDefaults(sourceLimits, options.limits).tools;
  }

  /** Why the last load lists only a part of the tools. */
  get broken(): ToolSearchError | undefined {
    return this.#broken;
  }

  /** What an operator should know of the last load, although nothing failed. */
  get hint(): string | undefined {
    return this.#hint;
  }

  /** Begins a load: what broke off earlier no longer counts. */
  begin(): void {
    this.#broken = undefined;
  }

  async read(connection: McpConnection, { signal, until, isAgain }: Listing): Promise<readonly ToolDeclaration[]> {
    const { loadTimeoutMs } = this.options;
    const listed = this.tools.reading(connection.description, this.#limit);
    const slices = new TimeSlicer(SLICE_MS, signal);
    // What was read counts: a page that is not answered leaves time to use it.
    const half = () => Math.max(1, (until - performance.now()) / 2);
    const timeoutMs = (pages: number) => (pages === 0 ? loadTimeoutMs : half());
    let pages = 0;
    let hint = connection.has('tools') ? undefined : NO_TOOLS;
    try {
      for await (const page of connection.listPages(signal, timeoutMs)) {
        const count = await slices.run(listed.add(page));
        pages += 1;
        if (count > this.#limit) throw this.#tooMany();
      }
    } catch (error) {
      if (pages === 0 || signal.aborted || isToolSearchError(error) || isTooLarge(error)) throw error;
      // In a new session the whole list may come; if it breaks off there too, what was read counts.
      if (!isAgain && (await connection.lossOf(error)) === 'repeat') throw error;
      if (error instanceof NoList && error.isNull && !this.tools.hasTools) hint = NULL_TOOLS;
      else {
        listed.breakOff();
        this.#breakOff(error);
      }
    }
    for (const list of this.items) {
      const ended = await addItems(list, connection.listPages(signal, half, list), listed, slices, this.#limit);
      signal.throwIfAborted();
      if (ended !== undefined) this.#breakOff(ended);
    }
    // The next load opens a new connection: this server may hang or may have been replaced, and one of which nothing is
    // asked would never be heard of again.
    const isAsked = connection.has('tools') || this.items.length > 0;
    if (this.#broken || !isAsked) void connection.retire();
    this.#hint = hint;
    return listed.finish();
  }

  #tooMany(): ToolSearchError {
    const message = `Source ${this.options.name} brought more than its limit of ${this.#limit} tools.`;
    const hint = 'Narrow the source with include or exclude, or raise limits.tools for it.';
    return new ToolSearchError('SOURCE_LIMIT', message, { hint });
  }

  /** Keeps why a list broke off: the first reason, of several lists. */
  #breakOff(error: unknown): void {
    this.#broken ??= brokenList(loadFailure(this.options.name, error));
  }
}
