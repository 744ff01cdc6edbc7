import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { Deadline } from '../../async/deadline.js';

interface RunningCall {
  readonly tool: ToolDefinition;
  readonly tenantId: string;
  readonly deadline: Deadline;
}

/** The running calls of this process, so that a kill switch can abort them. */
export class RunningCalls {
  readonly #running = new Set<RunningCall>();

  /** Registers a call. Returns a function that removes it again. */
  add(call: RunningCall): () => void {
    this.#running.add(call);
    return () => this.#running.delete(call);
  }

  has(matches: (tool: ToolDefinition) => boolean): boolean {
    for (const { tool } of this.#running) if (matches(tool)) return true;
    return false;
  }

  /** Aborts the matching calls; their results are discarded. */
  giveUp(matches: (tool: ToolDefinition, tenantId: string) => boolean): void {
    for (const { tool, tenantId, deadline } of this.#running) {
      if (matches(tool, tenantId)) deadline.abort(new Error('a kill switch ended the call'));
    }
  }
}
