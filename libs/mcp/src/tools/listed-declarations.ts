import { atOnce, type ToolDeclaration } from '@tool-search/core';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { ListedTools } from './listed-tools.js';

/**
 * What {@link McpSource} would hand to the catalog for tools as a server lists them, without a server: for whoever has the
 * list already, for example to see in a test what becomes of it. What is malformed is handed over as it came.
 */
export function listedDeclarations(settings: McpSourceSettings, tools: readonly unknown[]): readonly ToolDeclaration[] {
  const reading = new ListedTools(settings).reading(undefined);
  atOnce(reading.add(tools));
  return reading.finish();
}
