import type { DefinitionChange } from '../../tool/definition-change.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { ToolDeclaration, ToolDefinition } from '../../tool/tool-definition.js';
import type { LoadOptions, ToolSource } from '../../tool/tool-source.js';
import { abortable } from '../../async/deadline.js';
import type { DefinitionStore } from '../pinning/definition-store.js';
import { DefinitionWatch, type WatchedLoad } from '../pinning/definition-watch.js';
import { type Ingested, ingesting, type LoadingRule, NOTHING_INGESTED } from '../ingest/ingest.js';
import { Inspection, type InspectionOptions } from '../inspection/inspection.js';
import { PinCache } from '../pinning/pin-cache.js';
import { checkCount, type LoadLimits, sourceLimits } from './source-limits.js';
import type { SourceTuning } from '../../tool/source/source-options.js';

/** Milliseconds of work on a load between two turns of the event loop. */
const SLICE_MS = 8;

export interface LoadRules extends InspectionOptions {
  readonly loadingOf: LoadingRule;
  /** Whether a name is reserved for a meta tool. @default the names of `META_TOOL_NAMES` */
  readonly isTaken?: (name: string) => boolean;
  /** Limits of every source, in addition to its own. @default their defaults */
  readonly sources?: SourceTuning;
}

/** Loads one source's tools and, if its changes are watched, compares them with the accepted definitions. */
export class SourceLoader {
  readonly #watch: DefinitionWatch | undefined;
  readonly #inspection: Inspection;
  readonly limits: LoadLimits;
  // `accept` and `changes` find a tool's own name and fingerprint in the newest load.
  #newest = NOTHING_INGESTED;

  /** @param store required only for sources that set `changes` */
  constructor(
    readonly source: ToolSource,
    private readonly rules: LoadRules,
    store?: DefinitionStore,
    now: () => number = Date.now,
  ) {
    this.#inspection = new Inspection(source, rules);
    this.limits = sourceLimits(source, rules.sources);
    const { changes, name, owner = '' } = source;
    if (!changes || !store) return;
    const pins = new PinCache(store, { owner, source: name });
    this.#watch = new DefinitionWatch(source, changes, this.limits, pins, now);
  }

  get isRemembered(): boolean {
    return this.#watch !== undefined;
  }

  /**
   * Loads all current tools.
   *
   * @param signal cancels the request to the source. Tools already received are still ingested, unless `closed` aborts
   * @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` for the source as a whole, `STORE_UNAVAILABLE`; also
   *   any error of the source
   */
  async load(signal: AbortSignal, closed?: AbortSignal): Promise<Ingested> {
    const fetch = async (options?: LoadOptions) => {
      const declarations = await abortable(() => this.source.load(signal, options), signal);
      checkCount(this.source, declarations, this.limits);
      return declarations;
    };
    const declarations = await fetch();
    const watched = await this.#watch?.check(declarations, () => fetch({ anew: true }));
    this.#newest = await this.#ingested(watched?.declarations ?? declarations, watched?.of, closed);
    return this.#newest;
  }

  /**
   * The tools as they were last accepted; undefined if none are stored.
   *
   * @param isWanted called before the source is changed
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async remembered(isWanted: () => boolean): Promise<Ingested | undefined> {
    const watched = await this.#watch?.remembered(isWanted);
    return watched && this.#ingested(watched.declarations, watched.of);
  }

  /** Accepts these definitions. @throws ToolSearchError `STORE_UNAVAILABLE`; the next load then retries */
  async accept(tools: readonly ToolDefinition[]): Promise<void> {
    const known = tools.flatMap((tool) => this.#ownNameOf(tool));
    await this.#watch?.accept(known.map(([name, { fingerprint }]) => [name, fingerprint]));
  }

  /** The changes of a definition that waits for approval. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]> {
    const [known] = this.#ownNameOf(tool);
    return (known && (await this.#watch?.changes(known[0], tool.fingerprint))) ?? [];
  }

  async #ingested(
    declarations: readonly ToolDeclaration[],
    of?: WatchedLoad['of'],
    closed?: AbortSignal,
  ): Promise<Ingested> {
    const { loadingOf, isTaken } = this.rules;
    const slicer = new TimeSlicer(SLICE_MS, closed);
    const ingested = await slicer.run(ingesting(this.source, declarations, loadingOf, of, isTaken, this.limits));
    return this.#inspection.of(ingested, closed);
  }

  #ownNameOf({ name, hash }: ToolDefinition): [ownName: string, tool: ToolDefinition][] {
    const found = this.#newest.tools.find(({ definition }) => definition.name === name && definition.hash === hash);
    return found ? [[found.executor.localName, found.definition]] : [];
  }
}
