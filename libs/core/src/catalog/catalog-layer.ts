import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';
import type { SnapshotPreparer } from './catalog-reader.js';
import type { Ingested } from './ingest/ingest.js';
import { type Clash, mergeSources, snapshotOf } from './merge-sources.js';
import type { SourceFeed, SourceStatus } from './loading/source-feed.js';

/** Adds to definitions what only the search needs to know about them. */
export interface Supplement {
  /** Gets ready for these definitions, within about a second. Never rejects. */
  prepare(tools: readonly ToolDefinition[]): Promise<void>;
  /** The definition with `added`, or itself. The same object as long as nothing changes. */
  complete(tool: ToolDefinition): ToolDefinition;
}

interface Placed {
  readonly below: CatalogSnapshot | undefined;
  readonly snapshot: CatalogSnapshot;
  readonly clashes: readonly Clash[];
}

/**
 * The sources of one owner and their newest tools: the shared layer, or a tenant's layer above it. When the shared
 * tools change, a tenant's layer is merged with them again, so the cost of a tenant is proportional to its own tools.
 */
export class CatalogLayer {
  readonly feeds = new Map<string, SourceFeed>();
  #ingested: readonly Ingested[] = [];
  #revision = 0;
  #placed: Placed;
  #publishing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isClosed = false;

  /** @param shared the layer below a tenant's layer; undefined for the shared layer itself */
  constructor(
    private readonly owner: string,
    private readonly preparer: SnapshotPreparer | undefined,
    private readonly events: ToolEvents,
    private readonly shared?: CatalogLayer,
    private readonly beforePublishing: (next: CatalogSnapshot) => Promise<void> = async () => undefined,
    private readonly supplement: () => Supplement | undefined = () => undefined,
  ) {
    this.#placed = this.#place([], 0);
  }

  current(): CatalogSnapshot {
    if (this.#placed.below !== this.shared?.current()) this.#take(this.#place(this.#ingested, this.#revision));
    return this.#placed.snapshot;
  }

  sources(): readonly SourceStatus[] {
    return [...this.feeds.values()].map(({ status }) => {
      const clashes = this.#placed.clashes.filter(({ source }) => source === status.source);
      return { ...status, tools: status.tools - clashes.length, refused: [...status.refused, ...clashes] };
    });
  }

  /** Publishes the sources' tools, one publication after the other; changes that arrive during one share the next. */
  publish(): Promise<void> {
    if (this.#next) return this.#next;
    const published = this.#publishing.then(() => {
      this.#next = undefined;
      return this.#publishNow();
    });
    this.#next = published;
    // A failed publication keeps the last snapshot and must not block the next one.
    this.#publishing = published.catch(() => undefined);
    return published;
  }

  /** Closes all sources. The last tools stay readable for requests that are still running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const feeds = [...this.feeds.values()];
    this.feeds.clear();
    await Promise.all(feeds.map((feed) => feed.close()));
    await this.#publishing;
  }

  async #publishNow(): Promise<void> {
    if (this.#isClosed) return;
    const started = performance.now();
    const ingested = [...this.feeds.values()].map((feed) => feed.ingested);
    await this.supplement()?.prepare(
      ingested.flatMap(({ tools }) =>
        tools.flatMap(({ definition }) => (definition.kind === undefined ? [definition] : [])),
      ),
    );
    const placed = this.#place(ingested, this.#revision + 1);
    const { snapshot: next, below } = placed;
    try {
      if (below) await prepareOn(next, this.preparer);
      else await this.preparer?.apply({ next, previous: this.#placed.snapshot });
      await this.beforePublishing(next);
    } catch (error) {
      if (isToolSearchError(error)) throw error;
      throw new ToolSearchError('INTERNAL', 'The new state of the catalog could not be made searchable.', {
        cause: error,
      });
    }
    this.#ingested = ingested;
    this.#revision += 1;
    this.#take(placed);
    this.events.emit({
      type: 'catalog.published',
      ...(this.owner !== '' && { owner: this.owner }),
      revision: next.revision,
      tools: next.size,
      deferred: next.deferred,
      engine: this.preparer?.engine ?? 'none',
      ms: performance.now() - started,
    });
  }

  #place(ingested: readonly Ingested[], revision: number): Placed {
    const below = this.shared?.current();
    const { tools, refused: clashes } = mergeSources(ingested, below);
    if (below && tools.length === 0) return { below, snapshot: below, clashes };
    const supplement = this.supplement();
    const completed = supplement
      ? tools.map((tool) =>
          tool.definition.kind === undefined ? { ...tool, definition: supplement.complete(tool.definition) } : tool,
        )
      : tools;
    return { below, snapshot: snapshotOf((below?.revision ?? 0) + revision, completed, below), clashes };
  }

  #take(placed: Placed): void {
    const known = new Set(this.#placed.clashes.map(clashKey));
    this.#placed = placed;
    for (const clash of placed.clashes) {
      if (known.has(clashKey(clash))) continue;
      const { source, name, code, reason } = clash;
      this.events.emit({ type: 'tool.refused', source, tool: name, code, reason });
    }
  }
}

/** Makes a tenant's snapshot searchable; does nothing for a snapshot that extends no other. */
export async function prepareOn(next: CatalogSnapshot, preparer: SnapshotPreparer | undefined): Promise<void> {
  const { below } = next;
  if (!below) return;
  // Revision 0: nothing has been published before the first shared source has loaded.
  if (below.revision === 0) await preparer?.apply({ next: below });
  await preparer?.apply({ next, previous: below });
}

function clashKey({ source, name }: Clash): string {
  return JSON.stringify([source, name]);
}
