import { eventIds } from '../../tool/event-ids.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { LeftOutTool } from './surface.js';

/** Emits events for tools that an adapter leaves out of requests, once per tool and toolbox. */
export class LeftOutReport {
  /** Provider and name of the reported tools. */
  readonly #reported = new Set<string>();

  constructor(
    private readonly events: ToolEvents,
    private readonly contextOf: () => Promise<ToolContext>,
  ) {}

  async report(provider: string, tools: readonly LeftOutTool[]): Promise<void> {
    const fresh = tools.filter(({ tool }) => !this.#reported.has(`${provider} ${tool}`));
    if (fresh.length === 0) return;
    const context = await this.contextOf();
    for (const { tool, reason } of fresh) {
      const key = `${provider} ${tool}`;
      // Steps may be prepared in parallel.
      if (this.#reported.has(key)) continue;
      this.#reported.add(key);
      this.events.emit({ type: 'tool.left_out', ...eventIds(context), provider, tool, reason });
    }
  }
}
