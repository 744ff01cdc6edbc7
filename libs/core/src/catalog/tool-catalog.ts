import { list, object, type OptionsOf, rule, type SettingsOf, whole, withDefaults } from '../options/options.js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { checkForks, checkStatistics } from '../tool/snapshot/statistics-scope.js';
import type { DefinitionChange } from '../tool/definition-change.js';
import type { Loading, ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { parseOptions } from '../options/parse-options.js';
import { glob, loading, sourceSettings, type SourceTuning } from '../tool/source/source-options.js';
import { globSet } from '../tool/tool-name.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { DefinitionStore } from './pinning/definition-store.js';
import { MemoryDefinitionStore } from './pinning/memory-definition-store.js';
import { CatalogLayer, prepareOn, type Supplement } from './catalog-layer.js';
import type { InspectionOptions } from './inspection/inspection.js';
import type { CatalogReader, SnapshotPreparer } from './catalog-reader.js';
import { RequestCatalog } from './request-catalog.js';
import { SourceFeed, type SourceStatus } from './loading/source-feed.js';
import { type LoadRules, SourceLoader } from './loading/source-loader.js';
import { reservedNames } from './names/reserved-names.js';

export const catalogOptions = object({
  /** Milliseconds that a slow source may delay the boot. @default 10000 */
  bootWaitMs: whole(1, 86_400_000).default(10_000),
});

export interface CatalogOptions extends OptionsOf<typeof catalogOptions> {}

export const catalogTuning = object({
  /** Milliseconds to the first new attempt after a failed load; doubles up to `retryMaxMs`. @default 1000 */
  retryMinMs: whole(1, 86_400_000).default(1000),
  /** @default 60000 */
  retryMaxMs: whole(1, 86_400_000).default(60_000),
  /** Minimum milliseconds between loads for reported changes; changes within it share one load. @default 5000 */
  refreshEveryMs: whole(1, 86_400_000).default(5000),
}).check(rule('retryMinMs', 'at most retryMaxMs', (set) => set.retryMinMs <= set.retryMaxMs));

export interface CatalogTuning extends OptionsOf<typeof catalogTuning> {}

export const catalogSchema = object({ ...catalogOptions.shape, ...catalogTuning.shape });

export const loadingOptions = object({
  /** Loading of tools if neither they nor their source declare it. @default 'always' */
  defaultLoading: loading().default('always'),
  /** Globs of tools that are always loaded; overrides all other settings. @default [] */
  alwaysLoaded: list(glob()).default([]),
});

export interface LoadingOptions extends OptionsOf<typeof loadingOptions> {}

/** Options of a catalog, with their defaults. */
export interface CatalogSettings
  extends SettingsOf<typeof catalogSchema>, SettingsOf<typeof loadingOptions>, InspectionOptions {
  /** Reserved names, in addition to `META_TOOL_NAMES`. @default [] */
  readonly takenNames?: readonly string[];
  /** Limits of every source, in addition to its own. @default their defaults */
  readonly sources?: SourceTuning;
}

/** All tools of the application. Readers use `current()`, an immutable snapshot; sources publish a new one. */
export class ToolCatalog implements CatalogReader {
  #opening: Promise<void> | undefined;
  readonly #shared: CatalogLayer;
  /** By tenant; a tenant without sources has no layer. */
  readonly #tenants = new Map<string, CatalogLayer>();
  readonly #rules: LoadRules;
  #supplement: Supplement | undefined;
  #onSource: (source: ToolSource) => void = () => undefined;
  #beforePublishing: (next: CatalogSnapshot) => Promise<void> = async () => undefined;

  constructor(
    private readonly preparer: SnapshotPreparer | undefined,
    private readonly events: ToolEvents,
    private readonly settings: CatalogSettings = { ...withDefaults(catalogSchema), ...withDefaults(loadingOptions) },
    private readonly stored: DefinitionStore = new MemoryDefinitionStore(),
    private readonly now: () => number = Date.now,
  ) {
    const { defaultLoading, alwaysLoaded, takenNames, inspector, inspection, sources } = settings;
    const always = globSet(alwaysLoaded);
    this.#rules = {
      loadingOf: (name: string, declared: Loading | undefined, source: ToolSource): Loading =>
        always(name) ? 'always' : (declared ?? source.loading ?? defaultLoading),
      isTaken: reservedNames(takenNames),
      inspector,
      inspection,
      ...(sources && { sources }),
    };
    this.#shared = this.#layer('');
  }

  /** The newest published tools that a tenant could see: the shared ones and its own. */
  current(tenantId = ''): CatalogSnapshot {
    return (this.#layerOf(tenantId) ?? this.#shared).current();
  }

  /** The newest published tools of all tenants, by owner and name, for operators. Slow for many tenants. */
  tools(): readonly ToolDefinition[] {
    return this.#snapshots().flatMap(({ own }) => own);
  }

  /** Everything that is governed, by owner and name: {@link tools} and the context items. Slow for many tenants. */
  definitions(): readonly ToolDefinition[] {
    return this.#snapshots().flatMap(({ ownGoverned }) => ownGoverned);
  }

  #snapshots(): readonly CatalogSnapshot[] {
    const owners = [...this.#tenants.keys()].toSorted();
    const tenants = owners.map((owner) => this.current(owner)).filter(({ below }) => below !== undefined);
    return [this.#shared.current(), ...tenants];
  }

  /** The status of all sources, shared ones first, in the order of addition; with a tenant only its own and these. */
  sources(tenantId?: string): readonly SourceStatus[] {
    const tenants = tenantId === undefined ? [...this.#tenants.values()] : [this.#tenants.get(tenantId)];
    return [this.#shared, ...tenants].flatMap((layer) => layer?.sources() ?? []);
  }

  /**
   * Adds sources and loads them. Resolves when all have loaded or `bootWaitMs` has passed; the tools of a slow or
   * failing source are added when it has loaded.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` if a source's name is taken, if a tenant has its own source but the
   *   search engine's statistics are global, or if the engine cannot be opened
   */
  async add(...sources: readonly ToolSource[]): Promise<void> {
    const names = new Set<string>();
    for (const source of sources) {
      parseOptions(sourceSettings, source, 'Source');
      const { name, owner = '' } = source;
      if (owner !== '') {
        checkStatistics(this.preparer, "a tenant's own source");
        checkForks(this.preparer, 'one tenant');
      }
      const key = JSON.stringify([owner, name]);
      if (this.#layerOf(owner)?.feeds.has(name) || names.has(key)) {
        throw new ToolSearchError('INVALID_CONFIGURATION', `Two tool sources are named ${name}.`, {
          hint: 'Give each source a name of its own.',
        });
      }
      names.add(key);
      this.#onSource(source);
    }
    const feeds = sources.map((source) => this.#fed(source));
    await this.#opened();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.settings.bootWaitMs);
    });
    await Promise.race([Promise.all(feeds.map((feed) => feed.load())), patience]);
    clearTimeout(timer);
  }

  /** Registers work that runs before each snapshot is published, so that requests need not do it. */
  beforePublishing(work: (next: CatalogSnapshot) => Promise<void>): void {
    this.#beforePublishing = work;
  }

  /** Registers what every source is given before it loads. It may refuse the source by throwing. */
  onSource(prepare: (source: ToolSource) => void): void {
    this.#onSource = prepare;
  }

  /** A source that is in the catalog now. */
  source(name: string, owner = ''): ToolSource | undefined {
    return this.#layerOf(owner)?.feeds.get(name)?.loader.source;
  }

  /** Registers what is added to definitions for the search. Before the first source is added. */
  supplement(supplement: Supplement): void {
    this.#supplement = supplement;
  }

  /** Publishes an owner's tools again, after what is added to them has changed. */
  async publish(owner = ''): Promise<void> {
    await this.#layerOf(owner)?.publish();
  }

  /** Removes a source and its tools. */
  async remove(name: string, owner = ''): Promise<void> {
    const layer = this.#layerOf(owner);
    const feed = layer?.feeds.get(name);
    if (!layer || !feed) return;
    layer.feeds.delete(name);
    const published = layer.publish().finally(() => {
      if (layer.feeds.size === 0 && this.#tenants.get(owner) === layer) this.#tenants.delete(owner);
    });
    // The tools are removed at once, even if the source takes long to close.
    await Promise.all([published, feed.close()]);
  }

  /** Reloads one source, or all of them. */
  async refresh(name?: string, owner = ''): Promise<void> {
    const layers = name === undefined ? [this.#shared, ...this.#tenants.values()] : [this.#layerOf(owner)];
    const feeds = layers.flatMap((layer) => [...(layer?.feeds ?? [])]);
    const wanted = feeds.filter(([each]) => name === undefined || each === name);
    await Promise.all(wanted.map(([, feed]) => feed.load()));
  }

  /** Milliseconds until {@link reload} loads a source again; 0 = now, or a load is running. */
  reloadWaitMs(name: string, owner = ''): number {
    return this.#layerOf(owner)?.feeds.get(name)?.reloadWaitMs ?? 0;
  }

  /**
   * Loads a source because an operator asks for it: shares the load that is running, and does nothing within
   * `refreshEveryMs` of the last one or while the source may not be loaded for changes.
   */
  async reload(name: string, owner = ''): Promise<void> {
    await this.#layerOf(owner)?.feeds.get(name)?.reload();
  }

  /** Makes a tenant's newest tools searchable after a change of the shared tools, which already are. */
  async prepare(snapshot: CatalogSnapshot): Promise<void> {
    await prepareOn(snapshot, this.preparer);
  }

  /**
   * Returns a catalog with additional tools for one request.
   *
   * @param owner the tenant they belong to
   * @param shared the catalog to extend, if it is another request's catalog
   * @throws ToolSearchError `INVALID_CONFIGURATION` if the search engine cannot index them
   */
  async withTools(
    owner: string,
    sources: readonly ToolSource[],
    shared: CatalogReader = this,
  ): Promise<RequestCatalog> {
    checkForks(this.preparer, 'one request');
    const { events } = this;
    return RequestCatalog.load({ shared, rules: this.#rules, events }, owner, sources);
  }

  /** Accepts these definitions as they are now. If the store is unavailable, the source's next load writes them. */
  async accept(tools: readonly ToolDefinition[]): Promise<void> {
    const bySource = new Map<SourceFeed | undefined, ToolDefinition[]>();
    for (const tool of tools) {
      const feed = this.#feedOf(tool);
      bySource.set(feed, [...(bySource.get(feed) ?? []), tool]);
    }
    // A failed write does not matter here: the operator's approval is stored separately and already lets the tools
    // pass.
    await Promise.allSettled([...bySource].map(async ([feed, each]) => feed?.loader.accept(each)));
  }

  /**
   * The differences between a definition that waits for approval and the accepted one of the same name. Everything for
   * a new tool; empty for a tool that does not wait because of a change.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]> {
    return (await this.#feedOf(tool)?.loader.changes(tool)) ?? [];
  }

  /** Closes all sources and the search engine. The last tools stay readable for requests that are still running. */
  async close(): Promise<void> {
    await Promise.all([this.#shared, ...this.#tenants.values()].map((layer) => layer.close()));
    await this.preparer?.close?.();
  }

  #opened(): Promise<void> {
    this.#opening ??= this.preparer?.open?.() ?? Promise.resolve();
    return this.#opening;
  }

  #layerOf(owner: string): CatalogLayer | undefined {
    return owner === '' ? this.#shared : this.#tenants.get(owner);
  }

  #feedOf({ source, owner }: ToolDefinition): SourceFeed | undefined {
    return this.#layerOf(owner)?.feeds.get(source);
  }

  #layer(owner: string, shared?: CatalogLayer): CatalogLayer {
    return new CatalogLayer(
      owner,
      this.preparer,
      this.events,
      shared,
      (next) => this.#beforePublishing(next),
      () => this.#supplement,
    );
  }

  #fed(source: ToolSource): SourceFeed {
    const { name, owner = '' } = source;
    let layer = this.#layerOf(owner);
    if (!layer) {
      layer = this.#layer(owner, this.#shared);
      this.#tenants.set(owner, layer);
    }
    const loader = new SourceLoader(source, this.#rules, this.stored, this.now);
    const feed = new SourceFeed(loader, this.events, this.settings, () => layer.publish());
    layer.feeds.set(name, feed);
    return feed;
  }
}
