import type { ToolGate } from '../access/tool-gate.js';
import { RunShelves } from '../activation/run-shelf.js';
import type { ActivationOptions, ToolActivations } from '../activation/tool-activations.js';
import type { CatalogOptions, ToolCatalog } from '../catalog/tool-catalog.js';
import type { EngineOptions } from '../search/assemble-tool-index.js';
import { MemoryLearnedQueryStore } from '../search/learned/memory-learned-query-store.js';
import type { ToolIndex } from '../search/tool-index.js';
import { DefinitionTokens, estimateTokens, type TokenCounter } from '../tool/token-count.js';
import type { ToolEvents } from '../tool/tool-event.js';
import type { ExampleOptions } from '../toolbox/described-tool.js';
import { LearnedQueries } from '../toolbox/learned-queries.js';
import { type FinderOptions, ToolFinder } from '../toolbox/tool-finder.js';
import { type RunnerOptions, ToolRunner } from '../toolbox/tool-runner.js';
import { ToolViews } from '../toolbox/tool-views.js';
import type { ToolboxServices } from '../toolbox/toolbox.js';
import type { ExposureOption } from './exposure-mode.js';
import { type ExposureOptions, PromptExposure } from './prompt-exposure.js';

/** How toolboxes behave; everything an application may set that is not about Nest. */
export interface ToolboxOptions extends Pick<CatalogOptions, 'defaultLoading' | 'alwaysLoaded'> {
  /** How tools are shown to models. @default 'auto' */
  readonly exposure?: ExposureOption | ExposureOptions;
  readonly search?: FinderOptions & EngineOptions;
  readonly activation?: ActivationOptions;
  /** How examples are shown. @default on, 3 a tool, with descriptions */
  readonly examples?: Partial<ExampleOptions>;
  readonly visibility?: {
    /** Milliseconds a visibility policy may take before everything is hidden. @default 500 */
    readonly deadlineMs?: number;
  };
  readonly calls?: RunnerOptions;
  readonly catalog?: Omit<CatalogOptions, 'defaultLoading' | 'alwaysLoaded'>;
  /** Counts tokens, for `auto`, for token limits and for the descriptions that a search shows. @default an estimate by length */
  readonly countTokens?: TokenCounter;
  /** Replaces the search engine. @default the one in memory */
  readonly index?: ToolIndex;
}

/** The parts that exist before the services are put together. */
export interface ToolboxParts {
  readonly catalog: ToolCatalog;
  readonly gate: ToolGate;
  readonly activations: ToolActivations;
  readonly events: ToolEvents;
  readonly index: ToolIndex | undefined;
  /** What searches led to. @default learned in memory, if the options say that anything is learned */
  readonly learned?: LearnedQueries;
  /** Told when a tool throws; the caller is not. */
  readonly reportFault?: (tool: string, error: unknown) => void;
}

/** Long form of the `exposure` option. */
export function exposureOptions(option: ToolboxOptions['exposure']): ExposureOptions {
  return typeof option === 'object' ? option : option === undefined ? {} : { mode: option };
}

/** Puts the shared parts of all toolboxes together, with the defaults of the options. */
export function toolboxServices(options: ToolboxOptions, parts: ToolboxParts): ToolboxServices {
  const { catalog, gate, activations, events, index, reportFault = () => undefined } = parts;
  const learned = parts.learned ?? new LearnedQueries(new MemoryLearnedQueryStore(), options.search?.learning);
  const { countTokens = estimateTokens } = options;
  const tokens = new DefinitionTokens(countTokens);
  const { limit = 5, maxLimit = 20, types = ['bm25', 'exact'], replyTokens = 600 } = options.search ?? {};
  return {
    catalog,
    gate,
    activations,
    events,
    tokens,
    countTokens,
    views: new ToolViews(catalog, gate, events),
    finder: new ToolFinder(index, options.search),
    shelves: new RunShelves(),
    runner: new ToolRunner(events, options.calls, reportFault),
    learned,
    exposure: new PromptExposure(exposureOptions(options.exposure), tokens, events),
    activateOn: options.activation?.activateOn ?? 'call',
    search: { limit, maxLimit, types, replyTokens },
    reportFault,
    examples: { enabled: true, maxPerTool: 3, includeDescriptions: true, ...options.examples },
  };
}
