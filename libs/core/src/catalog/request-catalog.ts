import { catalogOrder } from '../tool/catalog-order.js';
import { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { Ingested, IngestedTool, LoadingRule } from './ingest.js';
import { claimsOf } from './name-claims.js';
import { NameRegister } from './name-register.js';
import type { SourceStatus } from './source-feed.js';
import { SourceLoader } from './source-loader.js';
import type { CatalogReader, SnapshotPreparer } from './catalog-reader.js';

const LOAD_TIMEOUT_MS = 10_000;
const FAILED: Ingested = { tools: [], refused: [], amended: [] };

/** What a request's catalog is made of. */
export interface RequestCatalogParts {
  readonly shared: CatalogReader;
  readonly preparer: SnapshotPreparer | undefined;
  readonly loadingOf: LoadingRule;
  readonly events: ToolEvents;
}

/**
 * The application's catalog and, beside it, tools that exist for one request alone. They come in by the same ingestion, a name
 * that is taken stays with whoever has it, and nothing of them is kept or seen by another request.
 */
export class RequestCatalog implements CatalogReader {
  #combined: { readonly base: CatalogSnapshot; readonly snapshot: CatalogSnapshot } | undefined;

  private constructor(
    private readonly parts: RequestCatalogParts,
    private readonly owner: string,
    private readonly own: readonly { readonly status: SourceStatus; readonly ingested: Ingested }[],
  ) {}

  /** Loads the sources; one that fails, or takes over 10 s, has no tools in this request. */
  static async load(
    parts: RequestCatalogParts,
    owner: string,
    sources: readonly ToolSource[],
  ): Promise<RequestCatalog> {
    return new RequestCatalog(parts, owner, await Promise.all(sources.map((source) => loaded(parts, source, owner))));
  }

  /** The newest shared tools with the request's own, which are put together once for each state of the shared ones. */
  current(): CatalogSnapshot {
    const base = this.parts.shared.current();
    if (this.#combined?.base !== base) this.#combined = { base, snapshot: this.#combinedWith(base) };
    return this.#combined.snapshot;
  }

  sources(): readonly SourceStatus[] {
    return [...this.parts.shared.sources(), ...this.own.map(({ status }) => status)];
  }

  async prepare(snapshot: CatalogSnapshot): Promise<void> {
    const previous = this.#combined?.snapshot === snapshot ? this.#combined.base : undefined;
    if (!previous) return;
    await this.parts.shared.prepare(previous);
    await this.parts.preparer?.apply({ next: snapshot, previous, isTransient: true });
  }

  #combinedWith(base: CatalogSnapshot): CatalogSnapshot {
    const taken = registersOf(base, this.owner);
    const mine = new NameRegister();
    const tools: IngestedTool[] = [];
    for (const tool of this.own.flatMap(({ ingested }) => ingested.tools)) {
      const claims = claimsOf(tool.definition);
      const { name, source } = tool.definition;
      const reason = [mine, ...taken].map((register) => register.clash(claims)).find((clash) => clash !== undefined);
      if (reason === undefined) {
        mine.take(claims);
        tools.push(tool);
      } else {
        this.parts.events.emit({ type: 'tool.refused', source, tool: name, code: 'DUPLICATE_TOOL', reason });
      }
    }
    const all = base.tools.map((definition, id) => ({ definition, executor: () => base.executorOf(id) }));
    all.push(...tools.map(({ definition, executor }) => ({ definition, executor: () => executor })));
    all.sort((left, right) => catalogOrder(left.definition, right.definition));
    return new CatalogSnapshot(
      base.revision,
      all.map(({ definition }) => definition),
      all.map(({ executor }) => executor()),
    );
  }
}

async function loaded({ loadingOf, events }: RequestCatalogParts, source: ToolSource, owner: string) {
  const { name } = source;
  const status = { source: name, owner, refused: [], amended: [], held: 0 };
  try {
    const loader = new SourceLoader(source, loadingOf);
    const ingested = await loader.load(AbortSignal.timeout(source.loadTimeoutMs ?? LOAD_TIMEOUT_MS));
    for (const { name: tool, code, reason } of ingested.refused) {
      events.emit({ type: 'tool.refused', source: name, tool, code, reason });
    }
    const { refused, amended, tools } = ingested;
    const held = tools.filter(({ definition }) => definition.suspicion !== undefined).length;
    return { ingested, status: { ...status, state: 'ready', tools: tools.length, refused, amended, held } as const };
  } catch (error) {
    const code = isToolSearchError(error) ? error.code : 'SOURCE_UNAVAILABLE';
    const reason = error instanceof Error ? error.message : 'the source failed';
    events.emit({ type: 'source.degraded', source: name, code, reason, retryInMs: 0 });
    return { ingested: FAILED, status: { ...status, state: 'degraded', tools: 0, code, reason } as const };
  }
}

// Names of a snapshot do not change; who has them is worked out once for all requests.
const registers = new WeakMap<CatalogSnapshot, Map<string, NameRegister>>();

function registersOf(snapshot: CatalogSnapshot, owner: string): readonly NameRegister[] {
  let byOwner = registers.get(snapshot);
  if (!byOwner) registers.set(snapshot, (byOwner = namesByOwner(snapshot)));
  return ['', owner].flatMap((each) => byOwner.get(each) ?? []);
}

function namesByOwner(snapshot: CatalogSnapshot): Map<string, NameRegister> {
  const byOwner = new Map<string, NameRegister>();
  for (const tool of snapshot.tools) {
    const register = byOwner.get(tool.owner) ?? new NameRegister();
    byOwner.set(tool.owner, register);
    register.take(claimsOf(tool));
  }
  return byOwner;
}
