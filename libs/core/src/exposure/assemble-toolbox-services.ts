import type { ControlOptions, ControlPlane } from '../access/control/control-plane.js';
import { KillSwitchSet } from '../access/kill-switches/kill-switch-set.js';
import type { ApprovalOptions, ToolApprovals } from '../access/approvals/tool-approvals.js';
import type { ToolGate } from '../access/tool-gate.js';
import { MemoryPausedRunStore } from '../activation/runs/memory-paused-run-store.js';
import type { PausedRunStore } from '../activation/runs/paused-run-store.js';
import { RunShelves } from '../activation/runs/run-tool-state.js';
import type { ActivationOptions } from '../activation/activation-options.js';
import type { ToolActivations } from '../activation/tool-activations.js';
import type { CatalogOptions, ToolCatalog } from '../catalog/tool-catalog.js';
import type { EngineOptions } from '../search/assemble-tool-index.js';
import { MemorySearchGapStore } from '../search/gaps/memory-search-gap-store.js';
import type { SearchGapStore } from '../search/gaps/search-gap-store.js';
import { MemoryLearnedQueryStore } from '../search/learned/memory-learned-query-store.js';
import type { ToolIndex } from '../search/tool-index.js';
import { DefinitionTokens } from '../tool/token-count.js';
import { checkForks, checkIndexLaw } from '../tool/snapshot/index-law.js';
import type { ToolEvents } from '../tool/tool-event.js';
import type { ToolTracing } from '../tool/tool-tracing.js';
import { type ExampleOptions, exampleRule } from '../toolbox/search/described-tool.js';
import { ListedDescriptions } from '../toolbox/search/listed-description.js';
import { LearnedQueries } from '../toolbox/analytics/learned-queries.js';
import { type SearchGapOptions, SearchGaps } from '../toolbox/analytics/search-gaps.js';
import { type RunOptions, RunPauses } from '../toolbox/runs/run-pauses.js';
import type { TenantSourceOptions } from '../toolbox/tenants/tenant-source-options.js';
import { TenantSources } from '../toolbox/tenants/tenant-sources.js';
import type { MetaDialect, MetaToolSpec } from '../toolbox/meta-tools/meta-tool-spec.js';
import { type FinderOptions, ToolFinder } from '../toolbox/search/tool-finder.js';
import { type RunnerOptions, ToolRunner } from '../toolbox/calls/tool-runner.js';
import { ToolViews } from '../toolbox/tool-views.js';
import type { ExposureOption } from '../toolbox/surface/surface.js';
import type { ToolboxServices } from '../toolbox/toolbox-services.js';
import { DEFERRALS } from './exposure-mode.js';
import { dialectOf, metaNames, type PresetName } from './presets/presets.js';
import { LazyTokenizer, type TokenizerOptions } from './ledger/lazy-tokenizer.js';
import { MemoryTokenLedgerStore } from './ledger/memory-token-ledger-store.js';
import { type LedgerOptions, TokenLedger } from './ledger/token-ledger.js';
import type { TokenLedgerStore } from './ledger/token-ledger-store.js';
import { type ExposureOptions, PromptExposure } from './prompt/prompt-exposure.js';

/** Behaviour of toolboxes: all options of an application that do not concern Nest. */
export interface ToolboxOptions extends Pick<CatalogOptions, 'defaultLoading' | 'alwaysLoaded'>, TokenizerOptions {
  /**
   * The defaults and meta tools of another system, word for word. Other options override the preset, one by one.
   *
   * @default none
   */
  readonly preset?: PresetName;
  /** How models see the tools. @default 'auto' */
  readonly exposure?: ExposureOption | ExposureOptions;
  readonly search?: FinderOptions & EngineOptions & { readonly gaps?: SearchGapOptions };
  readonly activation?: ActivationOptions;
  readonly runs?: RunOptions;
  /** How examples are shown. @default on, 3 per tool, with descriptions, of all tags; only in `tool_get` */
  readonly examples?: Partial<ExampleOptions>;
  readonly visibility?: {
    /** Milliseconds that a visibility policy may take; after that everything is hidden. @default 500 */
    readonly deadlineMs?: number;
  };
  /** How fresh the operators' decisions must be. @default read every second, all refused after 30 s without a read */
  readonly control?: ControlOptions;
  /** How long approval requests and approvals last. */
  readonly approvals?: ApprovalOptions;
  readonly calls?: RunnerOptions;
  /** Sources of single tenants, for example their own MCP servers. @default none */
  readonly tenantSources?: TenantSourceOptions;
  readonly catalog?: Omit<CatalogOptions, 'defaultLoading' | 'alwaysLoaded' | 'takenNames'>;
  /** Counts the tokens of what models see; `false` turns it off. @default on, except where everything is listed */
  readonly ledger?: LedgerOptions | false;
  /** Replaces the search engine. @default the engine in memory */
  readonly index?: ToolIndex;
}

/** The parts that are created before the services. */
export interface ToolboxParts {
  readonly catalog: ToolCatalog;
  readonly gate: ToolGate;
  readonly control: ControlPlane;
  readonly approvals: ToolApprovals;
  readonly activations: ToolActivations;
  readonly events: ToolEvents;
  readonly index: ToolIndex | undefined;
  /** Learns which tools searches led to. @default in memory, if the options enable learning */
  readonly learned?: LearnedQueries;
  /** Stores token counts. @default in memory */
  readonly ledgerStore?: TokenLedgerStore | undefined;
  /** Stores search gaps. @default in memory */
  readonly gapStore?: SearchGapStore | undefined;
  /** Called when counts cannot be written. */
  readonly reportCountFault?: (error: unknown) => void;
  /** Stores paused runs. @default in memory */
  readonly pausedRuns?: PausedRunStore;
  /** Epoch milliseconds, for paused runs. @default the real clock */
  readonly now?: () => number;
  /** Called when a tool throws. The caller does not get the error. */
  readonly reportFault?: (tool: string, error: unknown) => void;
  /** Called when a context is derived from another within the same request. */
  readonly onDerived?: ToolboxServices['onDerived'];
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
}

/** Expands the `exposure` option to its long form. */
export function exposureOptions(option: ToolboxOptions['exposure']): ExposureOptions {
  return typeof option === 'object' ? option : option === undefined ? {} : { mode: option };
}

/** The shared services of all toolboxes, with the token ledger and its tokenizer. */
export interface AssembledServices extends ToolboxServices {
  readonly ledger: TokenLedger;
  readonly tokenizer: LazyTokenizer;
}

/**
 * Creates the shared services of all toolboxes, with the defaults of the options.
 *
 * @param options merged with their preset; see `withPreset`
 * @throws ToolSearchError `INVALID_CONFIGURATION` for invalid names of meta tools
 */
export function assembleToolboxServices(options: ToolboxOptions, parts: ToolboxParts): AssembledServices {
  const { catalog, gate, control, approvals, activations, events, index } = parts;
  const { reportFault = () => undefined, onDerived = () => undefined } = parts;
  const learned = parts.learned ?? new LearnedQueries(new MemoryLearnedQueryStore(), options.search?.learning);
  const pausedRuns = parts.pausedRuns ?? new MemoryPausedRunStore();
  const { ledgerStore = new MemoryTokenLedgerStore(), gapStore = new MemorySearchGapStore(), reportCountFault } = parts;
  const tokenizer = new LazyTokenizer(options);
  const {
    limit = 5,
    maxLimit = 20,
    types = ['bm25', 'exact'],
    replyTokens = 600,
    offerTokens = 800,
  } = options.search ?? {};
  const examples = exampleRule(options.examples);
  const descriptions = new ListedDescriptions(examples);
  const tokens = new DefinitionTokens(tokenizer, (tool) => descriptions.of(tool));
  const activateOn = options.activation?.activateOn ?? 'call';
  const dialect = dialectOf(options.preset, {
    types,
    limit,
    maxLimit,
    withLoad: activateOn === 'load',
    withAutoLoad: activateOn === 'search',
    names: metaNames(options.preset, exposureOptions(options.exposure).metaTools),
  });
  const runner = new ToolRunner(events, options.calls, reportFault);
  control.onChange(({ switches }) => {
    const ending = new KillSwitchSet(switches.all.filter(({ abortRunning }) => abortRunning));
    runner.running.giveUp((tool, tenantId) => ending.meeting(tool, tenantId, control.now()) !== undefined);
  });
  return {
    catalog,
    reader: catalog,
    gate,
    control,
    approvals,
    activations,
    events,
    tokens,
    tokenizer,
    countTokens: (text) => tokenizer.count(text),
    ledger: new TokenLedger(ledgerStore, tokens, tokenizer, events, options.ledger, reportCountFault, parts.now),
    gaps: new SearchGaps(gapStore, events, options.search?.gaps, reportCountFault, parts.now),
    views: new ToolViews(catalog, gate, events),
    tenantSources: tenantSourcesOf(options, parts, runner, reportFault),
    finder: new ToolFinder(index, options.search),
    shelves: new RunShelves(),
    runner,
    learned,
    pauses: new RunPauses(pausedRuns, activations, events, options.runs, parts.now),
    exposure: new PromptExposure(exposureOptions(options.exposure), tokens, events, (text) => tokenizer.count(text)),
    dialect,
    metaTools: specsOf(dialect),
    activateOn,
    search: { limit, maxLimit, types, replyTokens, offerTokens },
    reportFault,
    onDerived,
    tracing: parts.tracing,
    examples,
    descriptions,
  };
}

function specsOf(dialect: MetaDialect): ReadonlyMap<string, MetaToolSpec> {
  return new Map(DEFERRALS.flatMap((mode) => dialect.specs(mode).map((spec) => [spec.tool.name, spec])));
}

/**
 * @throws ToolSearchError `INVALID_CONFIGURATION` if the search engine breaks the index law or cannot index the tools
 *   of a single tenant
 */
function tenantSourcesOf(
  { tenantSources, catalog: timing = {} }: ToolboxOptions,
  { catalog, events, index }: ToolboxParts,
  { running }: ToolRunner,
  reportFault: (what: string, error: unknown) => void,
): TenantSources | undefined {
  if (!tenantSources) return undefined;
  checkIndexLaw(index, "tenants' own sources");
  checkForks(index, 'one tenant');
  const { bootWaitMs, retryMinMs, retryMaxMs } = timing;
  return new TenantSources(
    { ...tenantSources, waitMs: tenantSources.waitMs ?? bootWaitMs },
    { catalog, events, running, retryMinMs, retryMaxMs, reportFault },
  );
}
