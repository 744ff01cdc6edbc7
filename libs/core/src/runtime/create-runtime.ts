import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { AuditTrail } from '../access/control/audit-trail.js';
import { ControlPlane } from '../access/control/control-plane.js';
import type { ControlStore } from '../access/control/control-store.js';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import { KillSwitchSet } from '../access/kill-switches/kill-switch-set.js';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import { createLimits } from '../access/limits/create-limits.js';
import type { LimitStore } from '../access/limits/limit-store.js';
import { StoredPolicies } from '../access/policies/stored-policies.js';
import { ToolProfiles } from '../access/profiles/tool-profiles.js';
import { ToolCanaries } from '../access/canaries/tool-canaries.js';
import { ToolDeprecations } from '../access/deprecations/tool-deprecations.js';
import { ToolPolicies } from '../access/policies/tool-policies.js';
import type { ToolPolicy } from '../access/policies/tool-policy.js';
import { ToolQuarantine } from '../access/quarantine/tool-quarantine.js';
import { ToolGate } from '../access/tool-gate.js';
import { createUserCredentials } from '../access/user-credentials/create-user-credentials.js';
import type { UserCredentialStore } from '../access/user-credentials/user-credential-store.js';
import type { PolicyFaultReport, ToolVisibilityPolicy } from '../access/visibility-policy.js';
import type { ActivationStore } from '../activation/activation-store.js';
import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import { MemoryPausedRunStore } from '../activation/runs/memory-paused-run-store.js';
import type { PausedRunStore } from '../activation/runs/paused-run-store.js';
import { RunShelves } from '../activation/runs/run-tool-state.js';
import { ToolActivations } from '../activation/tool-activations.js';
import type { DefinitionStore } from '../catalog/pinning/definition-store.js';
import { ToolCatalog } from '../catalog/tool-catalog.js';
import { LazyTokenizer } from '../exposure/ledger/lazy-tokenizer.js';
import { MemoryTokenLedgerStore } from '../exposure/ledger/memory-token-ledger-store.js';
import { TokenLedger } from '../exposure/ledger/token-ledger.js';
import type { TokenLedgerStore } from '../exposure/ledger/token-ledger-store.js';
import { dialectOf, metaNames } from '../exposure/presets/presets.js';
import { PromptExposure } from '../exposure/prompt/prompt-exposure.js';
import { withDefaults } from '../options/options.js';
import { assembleToolIndex } from '../search/assemble-tool-index.js';
import { LazyToolIndex } from '../search/lazy-tool-index.js';
import { MemorySearchGapStore } from '../search/gaps/memory-search-gap-store.js';
import type { SearchGapStore } from '../search/gaps/search-gap-store.js';
import type { ExampleQueryStore } from '../search/examples/example-query-store.js';
import { MemoryExampleQueryStore } from '../search/examples/memory-example-query-store.js';
import type { LearnedQueryStore } from '../search/learned/learned-query-store.js';
import { MemoryLearnedQueryStore } from '../search/learned/memory-learned-query-store.js';
import type { SearchCache } from '../search/search-cache.js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { checkForks, checkStatistics } from '../tool/snapshot/statistics-scope.js';
import { guardStore } from '../tool/store-guard.js';
import { DefinitionTokens } from '../tool/token-count.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { ToolEvents } from '../tool/tool-event.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { ToolTracing } from '../tool/tool-tracing.js';
import { LearnedQueries } from '../toolbox/analytics/learned-queries.js';
import { SearchGaps } from '../toolbox/analytics/search-gaps.js';
import { ExampleQueries } from '../toolbox/example-queries/example-queries.js';
import type { QueryWritingParts } from '../toolbox/example-queries/query-writing.js';
import { ToolRunner } from '../toolbox/calls/tool-runner.js';
import { itemCatalog } from '../toolbox/items/item-catalog.js';
import { CachedResults } from '../toolbox/results/cache/cached-results.js';
import type { ResultCache } from '../toolbox/results/cache/result-cache.js';
import { MetaTools } from '../toolbox/meta-tools/meta-calls.js';
import { ResultMarking } from '../toolbox/results/marking/result-marking.js';
import { ResultRedaction } from '../toolbox/results/redaction/result-redaction.js';
import { CatalogHistory } from '../toolbox/past/catalog-history.js';
import { PastDecisions } from '../toolbox/past/past-decisions.js';
import { DryRun } from '../toolbox/dry-run/dry-run.js';
import { MemoryToolCallStore } from '../toolbox/record/memory-tool-call-store.js';
import type { ToolCallStore } from '../toolbox/record/tool-call-store.js';
import { ToolCallRecords } from '../toolbox/record/tool-call-records.js';
import { RunPauses } from '../toolbox/runs/run-pauses.js';
import type { HeldResultStore } from '../toolbox/results/held/held-result-store.js';
import { HeldResults } from '../toolbox/results/held/held-results.js';
import { MemoryHeldResultStore } from '../toolbox/results/held/memory-held-result-store.js';
import { resultOptions } from '../toolbox/results/result-options.js';
import { listedResultTool, resultTool } from '../toolbox/results/result-tool.js';
import { ShortenedResults } from '../toolbox/results/shortened-results.js';
import { exampleRule, ListedDescriptions } from '../toolbox/search/described-tool.js';
import { ToolFinder } from '../toolbox/search/tool-finder.js';
import { DEFERRALS } from '../toolbox/surface/surface.js';
import { TenantSources } from '../toolbox/tenants/tenant-sources.js';
import { ToolViews } from '../toolbox/tool-views.js';
import { exposureOptions, searchOptions, type ToolboxOptions, withPreset } from './toolbox-options.js';

/** All options that do not concern Nest. */
export interface RuntimeOptions extends ToolboxOptions {
  readonly policy?: ToolPolicy | undefined;
}

/** Where a runtime stores its state. @default memory; nothing is cached */
export interface RuntimeStores {
  readonly activations?: ActivationStore | undefined;
  readonly calls?: ToolCallStore | undefined;
  readonly control?: ControlStore | undefined;
  readonly definitions?: DefinitionStore | undefined;
  readonly exampleQueries?: ExampleQueryStore | undefined;
  readonly gaps?: SearchGapStore | undefined;
  readonly heldResults?: HeldResultStore | undefined;
  readonly learnedQueries?: LearnedQueryStore | undefined;
  readonly ledger?: TokenLedgerStore | undefined;
  readonly limits?: LimitStore | undefined;
  readonly pausedRuns?: PausedRunStore | undefined;
  readonly resultCache?: ResultCache | undefined;
  readonly searchCache?: SearchCache | undefined;
  readonly userCredentials?: UserCredentialStore | undefined;
}

/** Parts that the host provides: an application, a test or a benchmark. */
export interface RuntimeHooks {
  readonly events?: ToolEvents;
  /** The application's own rules, asked for each request. @default none */
  readonly visibility?: () => readonly ToolVisibilityPolicy[];
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
  /** Epoch milliseconds. @default the real clock; the control store's clock for decisions of operators */
  readonly now?: (() => number) | undefined;
  /** Whether events name the tools that policies remove, instead of only counting them. @default never */
  readonly isDebugging?: () => boolean;
  /** Called when a context is derived from another within the same request. */
  readonly onDerived?: (derived: ToolContext, from: ToolContext) => void;
  /** Called when a tool throws. The caller does not get the error. */
  readonly reportFault?: (tool: string, error: unknown) => void;
  readonly reportPolicyFault?: PolicyFaultReport;
  readonly reportCacheFault?: (error: unknown) => void;
  readonly reportCountFault?: (error: unknown) => void;
  readonly reportRecordFault?: (error: unknown) => void;
  readonly reportLearningFault?: (error: unknown) => void;
  /** How long the writer of example queries rests, for tests. @default 1 s to 5 min after a failure, 15 s otherwise */
  readonly writingWaits?: QueryWritingParts['waits'];
}

/** Everything that the toolboxes of one application share, and its start and end. */
export type Runtime = ReturnType<typeof createRuntime>;

/**
 * Builds all services of an application from its options and stores. The only place that does: the Nest module, the
 * testing kit and the benchmarks call it. Nothing runs before `start()`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function createRuntime(given: RuntimeOptions, stores: RuntimeStores = {}, hooks: RuntimeHooks = {}) {
  const options = withPreset(given);
  const { events = new ToolEvents(), visibility = () => [], now, reportFault = () => undefined } = hooks;
  const search = withDefaults(searchOptions, options.search);

  // What models see.
  const activationStore = stores.activations ?? new MemoryActivationStore();
  const activations = new ToolActivations(
    activationStore,
    new MemoryActivationStore(),
    events,
    options.activation,
    now,
  );
  const tokenizer = new LazyTokenizer(options);
  const examples = exampleRule(options.examples);
  const descriptions = new ListedDescriptions(examples);
  const tokens = new DefinitionTokens(tokenizer, (tool) => descriptions.of(tool));
  const exposure = new PromptExposure(exposureOptions(options.exposure), tokens, events);
  const names = metaNames(options.preset, exposureOptions(options.exposure).metaTools);
  const dialect = dialectOf(options.preset, {
    ...search,
    withLoad: activations.activateOn === 'load',
    withAutoLoad: activations.activateOn === 'search',
    names,
  });
  const heldResults =
    options.results === false
      ? undefined
      : new HeldResults(
          stores.heldResults ?? new MemoryHeldResultStore(),
          withDefaults(resultOptions, options.results),
        );
  const reader = heldResults && resultTool(names.result);
  const metaTools = new MetaTools(dialect, DEFERRALS, exposure.configured === 'all', reader);
  const { reportCountFault } = hooks;
  const ledgerStore = stores.ledger ?? new MemoryTokenLedgerStore();
  const ledger = new TokenLedger(ledgerStore, tokens, events, options.ledger, reportCountFault, now);

  // The catalog. Nothing is searched where all tools are listed, so no index is built.
  const engine =
    exposure.configured === 'all'
      ? undefined
      : assembleToolIndex(search, {
          index: options.index,
          cache: stores.searchCache,
          onCacheFault: hooks.reportCacheFault,
          events,
        });
  // In `auto` nothing is searched while all tools are listed. An engine of the application is always kept up to date.
  const lazy =
    engine && exposure.configured === 'auto' && !options.index
      ? new LazyToolIndex(engine, (next) => exposure.defers(next.tools))
      : undefined;
  const index = lazy ?? engine;
  const { defaultLoading, alwaysLoaded, inspection, inspector } = options;
  const rules = { defaultLoading, alwaysLoaded, inspection, inspector, takenNames: Object.values(names) };
  const catalogOptions = { ...options.catalog, ...rules };
  const catalog = new ToolCatalog(index, events, catalogOptions, stores.definitions, now);
  const tools = () => catalog.definitions();
  const withCanaries = () => catalog.definitions(true);

  // Decisions, the application's and those of operators.
  const policies = new ToolPolicies(options.policy, index);
  const control = new ControlPlane(stores.control ?? new MemoryControlStore(), events, options.control);
  const gate = new ToolGate({
    policies,
    visibility,
    control,
    reportPolicyFault: hooks.reportPolicyFault,
    deadlineMs: options.visibility?.deadlineMs,
    now,
  });

  // Searches, pauses and calls of requests.
  const pausedRuns = stores.pausedRuns ?? new MemoryPausedRunStore();
  const pauses = new RunPauses(pausedRuns, activations, events, options.runs, now);
  const learnedStore = stores.learnedQueries ?? new MemoryLearnedQueryStore();
  const gaps = new SearchGaps(stores.gaps ?? new MemorySearchGapStore(), events, search.gaps, reportCountFault, now);
  const results = heldResults && new ShortenedResults(heldResults, tokens, events, reportFault);
  const limitParts = {
    control,
    events,
    maxResultTokens: (tool?: ToolDefinition) =>
      tool ? results?.maxTokensOf(tool) : heldResults && heldResults.settings.maxTokens,
    countTokens: (text: string) => tokenizer.count(text),
    reportFault,
    now,
  };
  const { limits, toolLimits, sweeping } = createLimits(options.limits, stores.limits, limitParts);
  const redaction = options.redaction && new ResultRedaction(options.redaction, reportFault);
  const records = new ToolCallRecords(
    {
      store: stores.calls ?? new MemoryToolCallStore(),
      events,
      controlRevision: () => control.snapshot()?.revision ?? 0,
      policyHash: (tenantId) => policies.digestOf(tenantId),
      redaction,
      tokens,
      onFault: hooks.reportRecordFault,
      now,
    },
    options.record,
  );
  const cachedResults = new CachedResults(options.resultCache, stores.resultCache, reportFault);
  const runnerParts = { limits, redaction, cache: cachedResults };
  const runner = new ToolRunner(events, options.calls, reportFault, undefined, runnerParts);
  control.onChange(({ switches }) => {
    const ending = new KillSwitchSet(switches.all.filter(({ abortRunning }) => abortRunning));
    runner.running.giveUp((tool, tenantId) => ending.meeting(tool, tenantId, control.now()) !== undefined);
  });
  if (options.tenantSources) {
    checkStatistics(index, "tenants' own sources");
    checkForks(index, 'one tenant');
  }
  const exampleQueries = new ExampleQueries(
    {
      catalog,
      plane: control,
      store: stores.exampleQueries ?? new MemoryExampleQueryStore(),
      events,
      index: lazy ?? (engine && { isNeeded: true }),
      waits: hooks.writingWaits,
    },
    search.exampleQueries,
  );
  if (lazy) lazy.onNeeded = () => exampleQueries.look();
  const { bootWaitMs, retryMinMs, retryMaxMs } = options.catalog ?? {};
  const tenantSources = new TenantSources(
    options.tenantSources && { ...options.tenantSources, waitMs: options.tenantSources.waitMs ?? bootWaitMs },
    { catalog, events, running: runner.running, retryMinMs, retryMaxMs, reportFault, exampleQueries },
  );

  const audit = new AuditTrail(control, now);
  const past = new PastDecisions({
    records,
    trail: audit,
    policies,
    history: new CatalogHistory(events, catalog, policies, now ?? Date.now),
    reader: catalog,
    hasVisibility: () => visibility().length > 0,
    hasTenantSources: options.tenantSources !== undefined,
    now: now ?? Date.now,
  });
  const userCredentials = createUserCredentials(options.userCredentials, stores.userCredentials, {
    events,
    trail: audit,
    catalog,
    now,
  });

  const views = new ToolViews(catalog, gate, events, undefined, hooks.isDebugging);

  const flush = async (): Promise<void> => {
    await Promise.all([ledger.stop(), records.stop(), gaps.stop(), exampleQueries.stop()]);
  };
  return {
    events,
    catalog,
    reader: catalog,
    items: itemCatalog(catalog, views),
    policies,
    gate,
    control,
    killSwitches: new KillSwitches(control, events, tools, now, Object.values(names)),
    storedPolicies: new StoredPolicies(control, events, index, now),
    limits,
    toolLimits,
    profiles: new ToolProfiles(control, events, now),
    deprecations: new ToolDeprecations(control, events, now),
    canaries: new ToolCanaries(control, events, withCanaries, now),
    approvals: new ToolApprovals(control, events, options.approvals, now),
    quarantine: new ToolQuarantine(control, events, withCanaries, catalog, now),
    audit,
    past,
    userCredentials,
    tenantSources,
    views,
    finder: new ToolFinder(index, search),
    prepareSearch: (snapshot: CatalogSnapshot) => lazy?.prepare(snapshot),
    search,
    learned: new LearnedQueries(learnedStore, search.learning, hooks.reportLearningFault),
    gaps,
    exampleQueries,
    activations,
    shelves: new RunShelves(),
    pauses,
    runner,
    redaction,
    records,
    dryRun: new DryRun(records, catalog),
    results,
    heldResults,
    listedResultTool: reader && listedResultTool(reader),
    cachedResults,
    marking: new ResultMarking(options.untrusted),
    exposure,
    metaTools,
    examples,
    descriptions,
    tokenizer,
    tokens,
    ledger,
    reportFault,
    onDerived: hooks.onDerived ?? (() => undefined),
    tracing: hooks.tracing,

    /** Reads the operators' decisions, loads the sources and begins the work in the background. */
    start: async (...sources: readonly ToolSource[]): Promise<void> => {
      if (visibility().length > 0) checkStatistics(index, 'a visibility policy');
      await control.start();
      await exampleQueries.open();
      await catalog.add(...sources);
      cachedResults.rules.check(catalog.tools());
      exampleQueries.start();
      activations.startSweeping(() => Promise.all([pauses.sweep(), heldResults?.sweep()]));
      ledger.start();
      records.start();
      stores.calls?.beforeClosing(flush);
      sweeping.start();
      gaps.start();
    },

    /** Empties the search cache; 0 without one. @throws ToolSearchError `STORE_UNAVAILABLE` */
    clearSearchCache: async (): Promise<number> =>
      guardStore('Entries of the search cache', async () => (await stores.searchCache?.clear()) ?? 0),

    /** Writes pending counts and records, and gives unfinished work back. Call it before `close()`, while the stores are open. */
    flush,

    /** Ends all work in the background and closes the sources. The control plane is last: running calls ask it. */
    close: async (): Promise<void> => {
      activations.stopSweeping();
      sweeping.stop();
      await Promise.all([tenantSources.close(), catalog.close()]);
      await control.stop();
    },
  };
}
