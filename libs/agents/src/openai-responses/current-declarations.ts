import { type ToolDefinition, wireName } from '@tool-search/core';
import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import type { AgentToolbox } from '../wire/agent-toolbox.js';
import { loadedNames } from './responses-input.js';
import type { WireTool } from '../wire/wire-toolbox.js';

/** A function as a search has loaded it into a conversation. */
export type LoadedFunction = Pick<FunctionTool, 'name' | 'parameters'> & Partial<Pick<FunctionTool, 'description'>>;

/** Which of the functions that a conversation has loaded are still to be seen as they were loaded. */
export class CurrentDeclarations {
  constructor(
    private readonly toolbox: Pick<AgentToolbox, 'visible'>,
    private readonly nameChars: number,
  ) {}

  /**
   * A test for loaded functions: their tools are visible and have not changed since. A conversation that has loaded none
   * costs nothing.
   *
   * @param listed what the step lists
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

// What was kept has gone through JSON.
function isSame(loaded: unknown, schema: object): boolean {
  return JSON.stringify(loaded) === JSON.stringify(schema);
}
