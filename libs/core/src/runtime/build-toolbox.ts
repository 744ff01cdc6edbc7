import { killSwitchKind } from '../access/kill-switches/kill-switch-kind.js';
import { KillSwitchSet } from '../access/kill-switches/kill-switch-set.js';
import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import { MemoryPausedRunStore } from '../toolbox/runs/memory-paused-run-store.js';
import { RunStates } from '../toolbox/runs/run-tool-state.js';
import { ToolActivations } from '../activation/tool-activations.js';
import { dialectOf } from '../exposure/presets/presets.js';
import { RunningCalls } from '../toolbox/call/running-calls.js';
import { SourceQueue } from '../toolbox/call/source-queue.js';
import { itemCatalog } from '../toolbox/items/item-catalog.js';
import { MetaToolSet } from '../toolbox/meta-tools/meta-tool-set.js';
import { CachedResults } from '../toolbox/results/cache/cached-results.js';
import { HeldResults } from '../toolbox/results/held/held-results.js';
import { MemoryHeldResultStore } from '../toolbox/results/held/memory-held-result-store.js';
import { ResultMarking } from '../toolbox/results/marking/result-marking.js';
import { ResultRedaction } from '../toolbox/results/redaction/result-redaction.js';
import { listedResultTool, resultTool } from '../toolbox/results/result-tool.js';
import { ShortenedResults } from '../toolbox/results/shortened-results.js';
import { RunPauses } from '../toolbox/runs/run-pauses.js';
import { DEFERRALS } from '../toolbox/surface/surface.js';
import { ToolViews } from '../toolbox/tool-views.js';
import type { AccessServices } from './build-access.js';
import type { CatalogServices } from './build-catalog.js';
import type { RuntimeHooks } from './runtime-hooks.js';
import type { RuntimeSettings } from './runtime-settings.js';
import type { RuntimeStores } from './runtime-stores.js';

export type ToolboxServices = ReturnType<typeof buildToolbox>;

/** What the toolboxes of all requests share: activations, meta tools, calls and their results. */
export function buildToolbox(
  settings: RuntimeSettings,
  stores: RuntimeStores,
  hooks: RuntimeHooks,
  { catalog, exposure, names, search, tokens }: CatalogServices,
  { control, gate }: AccessServices,
) {
  const { events, reportFault, now } = hooks;
  const ephemeral = new MemoryActivationStore();
  const kept = stores.activations ?? new MemoryActivationStore();
  const activations = new ToolActivations(kept, ephemeral, events, settings.activation, now);
  const pausedRuns = stores.pausedRuns ?? new MemoryPausedRunStore();
  const redaction = settings.redaction && new ResultRedaction(settings.redaction, reportFault);
  const cachedResults = new CachedResults(settings.resultCache, stores.resultCache, reportFault);
  const heldResults =
    settings.results === false
      ? undefined
      : new HeldResults(stores.heldResults ?? new MemoryHeldResultStore(), settings.results);
  const reader = heldResults && resultTool(names.result);
  const { activateOn } = activations;
  const loads = { withLoad: activateOn === 'load', withAutoLoad: activateOn === 'search' };
  const dialect = dialectOf(settings.preset, { ...search, ...loads, names });
  const running = new RunningCalls();
  control.onChange((decided) => {
    const switches = decided.of(killSwitchKind);
    const ending = new KillSwitchSet(switches.all.filter(({ abortRunning }) => abortRunning));
    running.giveUp((tool, tenantId) => ending.meeting(tool, tenantId, control.now()) !== undefined);
    events.emit({ type: 'control.applied', revision: decided.revision, switches: switches.all.length });
  });
  const views = new ToolViews(catalog, gate, events, undefined, hooks.isDebugging);
  return {
    activations,
    runStates: new RunStates(),
    pauses: new RunPauses(pausedRuns, activations, events, settings.runs, now),
    views,
    items: itemCatalog(catalog, views),
    metaTools: new MetaToolSet(dialect, DEFERRALS, exposure.configured === 'all', reader),
    listedResultTool: reader && listedResultTool(reader),
    calls: settings.calls,
    queue: new SourceQueue(events, settings.calls, hooks.tracing),
    running,
    redaction,
    cachedResults,
    heldResults,
    results: heldResults && new ShortenedResults(heldResults, tokens, events, reportFault),
    marking: new ResultMarking(settings.untrusted),
  };
}
