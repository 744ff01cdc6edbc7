import { randomUUID } from 'node:crypto';
import { failureOf, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { MetaCalls } from '../meta-tools/meta-calls.js';
import type { WrappedCall } from '../meta-tools/meta-tool-spec.js';
import type { ToolCalls } from './tool-calls.js';
import type { CallOptions } from './tool-runner.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import type { ToolboxServices } from '../toolbox-services.js';
import type { ToolboxSurface } from '../surface/toolbox-surface.js';
import { tracedCall } from './traced-work.js';

/** Calls that a model makes in one toolbox, to tools and meta tools: unwraps, traces, and adapts hints to the model. */
export class ToolboxCalls {
  constructor(
    private readonly services: ToolboxServices,
    private readonly caller: ToolboxCaller,
    private readonly surface: ToolboxSurface,
    private readonly metaCalls: MetaCalls,
    private readonly toolCalls: ToolCalls,
  ) {}

  /** Returns a model's errors as failures. Rejects only when the context cannot be created. */
  async call(name: string, input: unknown, options: CallOptions): Promise<ToolResult> {
    const result = await this.#traced(name, input, options);
    if (result.ok || result.hint === undefined) return result;
    const caller = await this.caller.itself();
    try {
      return this.metaCalls.spoken(result, this.surface.shownMode(caller));
    } catch (error) {
      return failureOf(error);
    }
  }

  async #traced(name: string, input: unknown, options: CallOptions): Promise<ToolResult> {
    const { tracing, reader } = this.services;
    let meant: WrappedCall;
    try {
      meant = this.metaCalls.unwrapped(name, input, options.naming) ?? { name, input };
    } catch (error) {
      return failureOf(error);
    }
    if (!tracing) return this.#call(meant, options);
    const callId = options.callId ?? randomUUID();
    const asked = { name: meant.name, callId, isMeta: this.metaCalls.has(meant.name), reader };
    const context = this.caller.itself().then((caller) => caller.context);
    return tracedCall(tracing, context, asked, () => this.#call(meant, { ...options, callId }));
  }

  async #call({ name, input }: WrappedCall, options: CallOptions): Promise<ToolResult> {
    const caller = await this.caller.who();
    try {
      if (this.metaCalls.has(name)) {
        return await this.metaCalls.call(name, input, caller, this.surface.shownMode(caller), options.naming);
      }
      return await this.toolCalls.call(name, input, caller, options);
    } catch (error) {
      if (!isToolSearchError(error) || error.cause !== undefined) this.services.reportFault(name, error);
      return failureOf(error);
    }
  }
}
