import { Logger } from '@nestjs/common';
import type { ToolGate } from '../access/tool-gate.js';
import { RunShelves } from '../activation/run-shelf.js';
import type { ToolActivations } from '../activation/tool-activations.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import { type ExposureOptions, PromptExposure } from '../exposure/prompt-exposure.js';
import type { ToolIndex } from '../search/tool-index.js';
import { DefinitionTokens } from '../tool/token-count.js';
import type { ToolEvents } from '../tool/tool-event.js';
import type { ToolboxServices } from '../toolbox/toolbox.js';
import { ToolFinder } from '../toolbox/tool-finder.js';
import { ToolRunner } from '../toolbox/tool-runner.js';
import { ToolViews } from '../toolbox/tool-views.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

/** Long form of the `exposure` option. */
export function exposureOptions(option: ToolSearchModuleOptions['exposure']): ExposureOptions {
  return typeof option === 'object' ? option : option === undefined ? {} : { mode: option };
}

/** The parts that exist before the services are put together. */
export interface ToolboxParts {
  readonly catalog: ToolCatalog;
  readonly gate: ToolGate;
  readonly activations: ToolActivations;
  readonly events: ToolEvents;
  readonly index: ToolIndex | undefined;
}

/** Puts the shared parts of all toolboxes together, with the defaults of the options. */
export function toolboxServices(
  options: Omit<ToolSearchModuleOptions, 'context'>,
  parts: ToolboxParts,
): ToolboxServices {
  const { catalog, gate, activations, events, index } = parts;
  const tokens = new DefinitionTokens(options.countTokens);
  const { limit = 5, maxLimit = 20, types = ['bm25', 'exact'] } = options.search ?? {};
  const logger = new Logger('ToolSearch');
  return {
    catalog,
    gate,
    activations,
    events,
    tokens,
    views: new ToolViews(catalog, gate, events),
    finder: new ToolFinder(index, { ...options.search }),
    shelves: new RunShelves(),
    runner: new ToolRunner(events, options.calls, (tool, error) => logger.error(`${tool} failed`, error)),
    exposure: new PromptExposure(exposureOptions(options.exposure), tokens, events),
    activateOn: options.activation?.activateOn ?? 'call',
    search: { limit, maxLimit, types },
    examples: { enabled: true, maxPerTool: 3, includeDescriptions: true, ...options.examples },
  };
}
