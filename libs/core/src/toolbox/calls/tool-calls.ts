import type { Caller } from '../../access/tool-gate.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { notAvailable, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { Admission } from './admission.js';
import { limitError } from './call-errors.js';
import { learnFromCall } from '../search/remember-searches.js';
import type { Activated, RunTools } from '../runs/run-tools.js';
import type { CallOptions } from './tool-runner.js';
import type { ToolboxServices } from '../toolbox-services.js';

/** Calls of catalog tools: authorizes, activates deferred tools, runs, and learns from successful calls. */
export class ToolCalls {
  constructor(
    private readonly services: ToolboxServices,
    private readonly run: RunTools,
    private readonly admission: Admission,
  ) {}

  /** @throws ToolSearchError `ACTIVATION_LIMIT`, `GATE_CLOSED`, `STORE_UNAVAILABLE`, or a missing approval's code */
  async call(name: string, input: unknown, caller: Caller, options: CallOptions): Promise<ToolResult> {
    this.run.resetSearchStreak(caller);
    const admitted = await this.admission.admitted(name, caller);
    if (!admitted) return notAvailable();
    const { tool } = admitted;
    this.run.used(caller, tool);
    const { context } = caller;
    let activated: Activated | undefined;
    if (tool.loading === 'deferred') {
      activated = await this.#activated(tool, caller);
      if (activated && activated.overLimit.length > 0) throw limitError(this.services.activations.demotes);
    }
    const result = await this.services.runner.run({ ...admitted, context }, input, options);
    const { learned } = this.services;
    if (result.ok && learned.isOn) learnFromCall(learned, this.run.shelf(context), context.tenantId, tool);
    return receipted(result, activated);
  }

  // An activation only lists a tool and authorizes nothing. If it cannot be written, the admitted call runs anyway.
  async #activated(tool: ToolDefinition, caller: Caller): Promise<Activated | undefined> {
    try {
      return await this.run.activate(caller, [tool], 'first_use');
    } catch (error) {
      if (isToolSearchError(error) && error.code === 'STORE_UNAVAILABLE') return undefined;
      throw error;
    }
  }
}

function receipted(result: ToolResult, outcome: Activated | undefined): ToolResult {
  if (!outcome || outcome.activated.length === 0) return result;
  const { receipt } = outcome;
  return {
    ...result,
    ...(result.ok && { activated: true }),
    // A tool stays activated when its call fails.
    ...(receipt !== undefined && { receipt }),
  };
}
