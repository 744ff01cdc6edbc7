import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { Deadline } from '../../async/deadline.js';

/** A call on its way. */
interface RunningCall {
  readonly tool: ToolDefinition;
  readonly tenantId: string;
  readonly deadline: Deadline;
}

/** The calls of this process that have begun and not ended, so that a kill switch can end them. */
export class RunningCalls {
  readonly #running = new Set<RunningCall>();

  /** Keeps a call in mind. Returns what is to be called when it has ended. */
  add(call: RunningCall): () => void {
    this.#running.add(call);
    return () => this.#running.delete(call);
  }

  /** Whether a call of such a tool is running. */
  has(isMeant: (tool: ToolDefinition) => boolean): boolean {
    for (const { tool } of this.#running) if (isMeant(tool)) return true;
    return false;
  }

  /** Gives up the calls that are meant; their results are discarded. */
  giveUp(isMeant: (tool: ToolDefinition, tenantId: string) => boolean): void {
    for (const { tool, tenantId, deadline } of this.#running) {
      if (isMeant(tool, tenantId)) deadline.abort(new Error('a kill switch ended the call'));
    }
  }
}
