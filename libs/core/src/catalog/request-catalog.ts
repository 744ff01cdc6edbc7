import { catalogOrder, type CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import { type Ingested, NOTHING_INGESTED } from './ingest/ingest.js';
import { mergeSources, ownOf, snapshotOf } from './merge-sources.js';
import { reportedTools, type SourceStatus } from './loading/source-feed.js';
import { type LoadRules, SourceLoader } from './loading/source-loader.js';
import type { CatalogReader } from './catalog-reader.js';

const LOAD_TIMEOUT_MS = 10_000;

export interface RequestCatalogParts {
  readonly shared: CatalogReader;
  readonly rules: LoadRules;
  readonly events: ToolEvents;
}

/**
 * The application's catalog plus tools that exist for one request only. The same ingestion checks them; a name that is
 * taken stays with its holder. They are neither stored nor visible to other requests.
 */
export class RequestCatalog implements CatalogReader {
  #combined: { readonly base: CatalogSnapshot; readonly snapshot: CatalogSnapshot } | undefined;

  private constructor(
    private readonly parts: RequestCatalogParts,
    private readonly owner: string,
    private readonly own: readonly { readonly status: SourceStatus; readonly ingested: Ingested }[],
  ) {}

  /** A source that fails, or exceeds its `loadTimeoutMs` (default here 10 s), has no tools in this request. */
  static async load(
    parts: RequestCatalogParts,
    owner: string,
    sources: readonly ToolSource[],
  ): Promise<RequestCatalog> {
    return new RequestCatalog(parts, owner, await Promise.all(sources.map((source) => loaded(parts, source, owner))));
  }

  /** The tenant's newest tools and the request's own; merged once per snapshot of the tenant. */
  current(): CatalogSnapshot {
    const base = this.parts.shared.current(this.owner);
    if (this.#combined?.base !== base) this.#combined = { base, snapshot: this.#combinedWith(base) };
    return this.#combined.snapshot;
  }

  sources(tenantId?: string): readonly SourceStatus[] {
    return [...this.parts.shared.sources(tenantId), ...this.own.map(({ status }) => status)];
  }

  async prepare(snapshot: CatalogSnapshot): Promise<void> {
    await this.parts.shared.prepare(snapshot);
  }

  // Merged with the tenant's own tools, not above them: they have the same owner, and the result is sorted by name.
  #combinedWith(base: CatalogSnapshot): CatalogSnapshot {
    const { tools, refused } = mergeSources(
      this.own.map(({ ingested }) => ingested),
      base,
    );
    for (const { source, name, code, reason } of refused) {
      this.parts.events.emit({ type: 'tool.refused', source, tool: name, code, reason });
    }
    const { below } = base;
    const tenants = below ? ownOf(base) : [];
    const all = [...tenants, ...tools].sort((left, right) => catalogOrder(left.definition, right.definition));
    return snapshotOf(base.revision, all, below ?? base);
  }
}

async function loaded({ rules, events }: RequestCatalogParts, source: ToolSource, owner: string) {
  const { name } = source;
  const status = {
    source: name,
    owner,
    refused: [],
    amended: [],
    held: 0,
    reported: [],
    exposes: source.exposes ?? [],
  };
  try {
    const loader = new SourceLoader(source, rules);
    const ingested = await loader.load(AbortSignal.timeout(source.loadTimeoutMs ?? LOAD_TIMEOUT_MS));
    for (const { name: tool, ...refusal } of ingested.refused) events.emit({ type: 'tool.refused', tool, ...refusal });
    const reported = reportedTools(ingested);
    for (const { name: tool, code, reason } of reported) {
      events.emit({ type: 'tool.reported', source: name, tool, code, reason });
    }
    const { refused, amended, tools } = ingested;
    const quarantined = tools.filter(({ definition }) => definition.suspicion !== undefined).length;
    const counts = { tools: tools.length, refused, amended, held: quarantined, reported };
    return { ingested, status: { ...status, ...counts, state: 'ready' } as const };
  } catch (error) {
    const code = isToolSearchError(error) ? error.code : 'SOURCE_UNAVAILABLE';
    const reason = error instanceof Error ? error.message : 'the source failed';
    events.emit({ type: 'source.degraded', source: name, code, reason, retryInMs: 0 });
    return { ingested: NOTHING_INGESTED, status: { ...status, state: 'degraded', tools: 0, code, reason } as const };
  }
}
