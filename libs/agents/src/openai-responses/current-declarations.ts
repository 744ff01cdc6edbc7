import { type ToolDefinition, wireName } from '@tool-search/core';
import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import type { AgentToolbox } from '../wire/agent-toolbox.js';
import { loadedNames } from './responses-input.js';
import type { WireTool } from '../wire/wire-toolbox.js';

/** A function that a search has loaded into a conversation. */
export type LoadedFunction = Pick<FunctionTool, 'name' | 'parameters'> & Partial<Pick<FunctionTool, 'description'>>;

/** Checks whether functions that a conversation has loaded are still visible and unchanged. */
export class CurrentDeclarations {
  constructor(
    private readonly toolbox: Pick<AgentToolbox, 'visible'>,
    private readonly nameChars: number,
  ) {}

  /**
   * A test for loaded functions: their tools are visible and have not changed since. Costs nothing for a conversation
   * that has loaded none.
   *
   * @param listed the tools that the step lists
   */
  async now(
    items: readonly ResponseInputItem[],
    listed: readonly WireTool[],
  ): Promise<(loaded: LoadedFunction) => boolean> {
    const names = loadedNames(items);
    if (names.size === 0) return () => true;
    const visible = new Map<string, ToolDefinition>();
    for (const tool of await this.toolbox.visible()) visible.set(wireName(tool.name, this.nameChars), tool);
    const byName = new Map(listed.map((tool) => [tool.name, tool]));
    return ({ name, parameters, description }) => {
      const tool = visible.get(name);
      if (!tool || !isSame(parameters, tool.inputSchema)) return false;
      const shown = byName.get(name);
      return shown === undefined || shown.description === description;
    };
  }
}

// The stored function was serialized as JSON.
function isSame(loaded: unknown, schema: object): boolean {
  return JSON.stringify(loaded) === JSON.stringify(schema);
}
