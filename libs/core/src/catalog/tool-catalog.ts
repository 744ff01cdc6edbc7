import { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import { checkIndexLaw } from '../tool/index-law.js';
import type { DefinitionChange } from '../tool/definition-change.js';
import type { Loading, ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { globSet } from '../tool/tool-name.js';
import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { DefinitionStore } from './definition-store.js';
import { MemoryDefinitionStore } from './memory-definition-store.js';
import type { CatalogReader, SnapshotPreparer } from './catalog-reader.js';
import { RequestCatalog } from './request-catalog.js';
import { type Clash, mergeSources } from './merge-sources.js';
import { type FeedTiming, SourceFeed, type SourceStatus } from './source-feed.js';
import { SourceLoader } from './source-loader.js';
import { takenNames } from './taken-names.js';

/** Settings of the catalog. */
export interface CatalogOptions extends Partial<FeedTiming> {
  /** Loading of tools for which neither they nor their source say anything. @default 'always' */
  readonly defaultLoading?: Loading;
  /** Globs of tools that are always loaded, whatever else is said. @default [] */
  readonly alwaysLoaded?: readonly string[];
  /** Names that no tool may have, besides those of `META_TOOL_NAMES`. @default [] */
  readonly takenNames?: readonly string[];
  /** Milliseconds `add()` waits for slow sources before it goes on without them. @default 10000 */
  readonly bootWaitMs?: number;
}

/**
 * All tools of the application. Readers take `current()`, an immutable snapshot; sources change it only by publishing a
 * new one.
 */
export class ToolCatalog implements CatalogReader {
  #current = new CatalogSnapshot(0, []);
  #publishing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #opening: Promise<void> | undefined;
  #closed = false;
  #clashes: readonly Clash[] = [];
  readonly #feeds = new Map<string, SourceFeed>();
  readonly #loadingOf;
  readonly #timing: FeedTiming;
  readonly #isTaken: (name: string) => boolean;

  constructor(
    private readonly preparer: SnapshotPreparer | undefined,
    private readonly events: ToolEvents,
    private readonly options: CatalogOptions = {},
    private readonly definitions: DefinitionStore = new MemoryDefinitionStore(),
    private readonly now: () => number = Date.now,
  ) {
    const always = globSet(options.alwaysLoaded ?? []);
    this.#loadingOf = (name: string, declared: Loading | undefined, source: ToolSource): Loading =>
      always(name) ? 'always' : (declared ?? source.loading ?? options.defaultLoading ?? 'always');
    this.#isTaken = takenNames(options.takenNames);
    this.#timing = {
      retryMinMs: options.retryMinMs ?? 1000,
      retryMaxMs: options.retryMaxMs ?? 60_000,
      refreshEveryMs: options.refreshEveryMs ?? 5000,
    };
  }

  /** The newest published tools. */
  current(): CatalogSnapshot {
    return this.#current;
  }

  /** How every source is doing, in the order in which they were added. */
  sources(): readonly SourceStatus[] {
    return [...this.#feeds.values()].map((feed) => {
      const { status } = feed;
      const clashes = this.#clashes.filter(({ source, owner }) => source === status.source && owner === status.owner);
      return { ...status, tools: status.tools - clashes.length, refused: [...status.refused, ...clashes] };
    });
  }

  /**
   * Adds sources and loads them. Resolves when all have answered or `bootWaitMs` has passed; a slow or failing source
   * arrives later by itself.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` when a source's name is taken, when a tenant has its own source though
   *   the search engine breaks the index law, or when the engine cannot be opened
   */
  async add(...sources: readonly ToolSource[]): Promise<void> {
    const feeds = new Map<string, SourceFeed>();
    for (const source of sources) {
      if (source.owner) checkIndexLaw(this.preparer, "a tenant's own source");
      const key = keyOf(source.name, source.owner);
      if (this.#feeds.has(key) || feeds.has(key)) {
        throw new ToolSearchError('INVALID_CONFIGURATION', `Two tool sources are named ${source.name}.`, {
          hint: 'Give each source a name of its own.',
        });
      }
      const loader = new SourceLoader(source, this.#loadingOf, this.definitions, this.now, this.#isTaken);
      feeds.set(key, new SourceFeed(loader, this.events, this.#timing, () => this.#publish()));
    }
    for (const [key, feed] of feeds) this.#feeds.set(key, feed);
    await this.#opened();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.bootWaitMs ?? 10_000);
    });
    await Promise.race([Promise.all([...feeds.values()].map((feed) => feed.load())), patience]);
    clearTimeout(timer);
  }

  /** Takes a source and its tools out of the catalog. */
  async remove(name: string, owner = ''): Promise<void> {
    const key = keyOf(name, owner);
    const feed = this.#feeds.get(key);
    if (!feed) return;
    this.#feeds.delete(key);
    // The tools go at once, however long the source takes to say goodbye.
    await Promise.all([this.#publish(), feed.close()]);
  }

  /** Loads one source, or all of them, again. */
  async refresh(name?: string, owner = ''): Promise<void> {
    const feeds = [...this.#feeds].filter(([key]) => name === undefined || key === keyOf(name, owner));
    await Promise.all(feeds.map(([, feed]) => feed.load()));
  }

  /** What is published has been made searchable before. */
  async prepare(_snapshot: CatalogSnapshot): Promise<void> {}

  /**
   * This catalog and tools that exist for one request alone.
   *
   * @param owner the tenant they belong to
   * @param shared what they stand beside, where that is a request's catalog already
   * @throws ToolSearchError `INVALID_CONFIGURATION` where the search engine cannot take them up
   */
  async withTools(
    owner: string,
    sources: readonly ToolSource[],
    shared: CatalogReader = this,
  ): Promise<RequestCatalog> {
    const { preparer, events } = this;
    if (preparer && !preparer.canFork) {
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `The search engine ${preparer.engine} knows no tools of one request.`,
        {
          hint: 'Use the engine in memory without an embedder, or give tenants their tools by tenantSources.',
        },
      );
    }
    return RequestCatalog.load({ shared, preparer, loadingOf: this.#loadingOf, events }, owner, sources);
  }

  /**
   * Makes these definitions, as they are in the catalog now, what was accepted of their sources. What cannot be written at the
   * moment is written at the source's next load.
   */
  async accept(tools: readonly ToolDefinition[]): Promise<void> {
    const bySource = new Map<string, ToolDefinition[]>();
    for (const tool of tools) {
      const key = keyOf(tool.source, tool.owner);
      bySource.set(key, [...(bySource.get(key) ?? []), tool]);
    }
    // The verdict on them stands either way, and lets them pass.
    const writes = [...bySource].map(async ([key, each]) => this.#feeds.get(key)?.loader.accept(each));
    await Promise.allSettled(writes);
  }

  /**
   * Where a definition that waits differs from what was accepted under its name; everything for one that is new, nothing for one
   * that does not wait for a change.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]> {
    return (await this.#feeds.get(keyOf(tool.source, tool.owner))?.loader.changes(tool)) ?? [];
  }

  /** Ends all sources and lets the search engine go. The last tools stay readable, so that a request that is still running finds its own. */
  async close(): Promise<void> {
    this.#closed = true;
    const feeds = [...this.#feeds.values()];
    this.#feeds.clear();
    await Promise.all(feeds.map((feed) => feed.close()));
    await this.#publishing;
    await this.preparer?.close?.();
  }

  #opened(): Promise<void> {
    this.#opening ??= this.preparer?.open?.() ?? Promise.resolve();
    return this.#opening;
  }

  // Publications run one after the other; changes that arrive meanwhile share the next one.
  #publish(): Promise<void> {
    if (this.#next) return this.#next;
    const published = this.#publishing.then(() => {
      this.#next = undefined;
      return this.#publishNow();
    });
    this.#next = published;
    // A publication that failed keeps the last snapshot and must not block the next one.
    this.#publishing = published.catch(() => undefined);
    return published;
  }

  async #publishNow(): Promise<void> {
    if (this.#closed) return;
    const started = performance.now();
    const { tools, refused } = mergeSources([...this.#feeds.values()].map((feed) => feed.ingested));
    const previous = this.#current;
    const next = new CatalogSnapshot(
      previous.revision + 1,
      tools.map((tool) => tool.definition),
      tools.map((tool) => tool.executor),
    );
    try {
      await this.preparer?.apply({ next, previous });
    } catch (error) {
      if (isToolSearchError(error)) throw error;
      throw new ToolSearchError('INTERNAL', 'The new state of the catalog could not be made searchable.', {
        cause: error,
      });
    }
    this.#current = next;
    const known = new Set(this.#clashes.map(clashKey));
    this.#clashes = refused;
    for (const clash of refused) {
      if (known.has(clashKey(clash))) continue;
      const { source, name, code, reason } = clash;
      this.events.emit({ type: 'tool.refused', source, tool: name, code, reason });
    }
    this.events.emit({
      type: 'catalog.published',
      revision: next.revision,
      tools: next.tools.length,
      deferred: next.tools.filter((tool) => tool.loading === 'deferred').length,
      engine: this.preparer?.engine ?? 'none',
      ms: performance.now() - started,
    });
  }
}

function keyOf(name: string, owner = ''): string {
  return JSON.stringify([owner, name]);
}

function clashKey({ owner, source, name }: Clash): string {
  return JSON.stringify([owner, source, name]);
}
