import type { DefinitionChange } from '../../tool/definition-change.js';
import { Slices } from '../../async/slices.js';
import type { ToolDeclaration, ToolDefinition } from '../../tool/tool-definition.js';
import type { LoadOptions, ToolSource } from '../../tool/tool-source.js';
import { unlessAborted } from '../../async/unless-aborted.js';
import type { DefinitionStore } from '../pinning/definition-store.js';
import { DefinitionWatch } from '../pinning/definition-watch.js';
import { type Ingested, ingesting, type LoadingRule, NOTHING_INGESTED } from '../ingest/ingest.js';
import { KnownPins } from '../pinning/known-pins.js';
import { checkCount, sourceLimits } from './source-limits.js';
import type { WatchedLoad } from '../pinning/watched-tool.js';

/** Milliseconds of work on a load between two turns of the event loop. */
const SLICE_MS = 8;

/** Brings one source's tools, judged by what was accepted where the source's changes are watched. */
export class SourceLoader {
  readonly #watch: DefinitionWatch | undefined;
  // Fingerprints of the newest load say which of its tools an operator means.
  #newest = NOTHING_INGESTED;

  /** @param store needed for sources that set `changes` alone */
  constructor(
    readonly source: ToolSource,
    private readonly loadingOf: LoadingRule,
    store?: DefinitionStore,
    now: () => number = Date.now,
    private readonly isTaken?: (name: string) => boolean,
  ) {
    const { changes, name, owner = '' } = source;
    if (!changes || !store) return;
    const pins = new KnownPins(store, { owner, source: name });
    this.#watch = new DefinitionWatch(source, changes, sourceLimits(source), pins, now);
  }

  /** Whether the source's tools are kept over restarts. */
  get isRemembered(): boolean {
    return this.#watch !== undefined;
  }

  /**
   * All tools as of now.
   *
   * @param signal ends what is asked of the source; what it has brought is taken up, unless `closed` says that nobody wants it
   * @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` for the source as a whole, `STORE_UNAVAILABLE`; whatever the source throws
   */
  async load(signal: AbortSignal, closed?: AbortSignal): Promise<Ingested> {
    const fetch = async (options?: LoadOptions) => {
      const declarations = await unlessAborted(() => this.source.load(signal, options), signal);
      if (this.#watch) checkCount(this.source, declarations, sourceLimits(this.source));
      return declarations;
    };
    const declarations = await fetch();
    if (!this.#watch) return this.#ingested(declarations, undefined, closed);
    const watched = await this.#watch.check(declarations, () => fetch({ anew: true }));
    this.#newest = await this.#ingested(watched.declarations, watched.of, closed);
    return this.#newest;
  }

  /**
   * The tools as they were accepted last; undefined where nothing is remembered.
   *
   * @param isWanted asked before anything is changed about the source
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async remembered(isWanted: () => boolean): Promise<Ingested | undefined> {
    const watched = await this.#watch?.remembered(isWanted);
    return watched && this.#ingested(watched.declarations, watched.of);
  }

  /** Makes these definitions what is accepted. @throws ToolSearchError `STORE_UNAVAILABLE`; it is then done at the next load */
  async accept(tools: readonly ToolDefinition[]): Promise<void> {
    const known = tools.flatMap((tool) => this.#ownNameOf(tool));
    await this.#watch?.accept(known.map(([name, { fingerprint }]) => [name, fingerprint]));
  }

  /** What changed about a definition that waits. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]> {
    const [known] = this.#ownNameOf(tool);
    return (known && (await this.#watch?.changes(known[0], tool.fingerprint))) ?? [];
  }

  #ingested(declarations: readonly ToolDeclaration[], of?: WatchedLoad['of'], closed?: AbortSignal): Promise<Ingested> {
    return new Slices(SLICE_MS, closed).run(ingesting(this.source, declarations, this.loadingOf, of, this.isTaken));
  }

  #ownNameOf({ name, hash }: ToolDefinition): [ownName: string, tool: ToolDefinition][] {
    const found = this.#newest.tools.find(({ definition }) => definition.name === name && definition.hash === hash);
    return found ? [[found.executor.localName, found.definition]] : [];
  }
}
