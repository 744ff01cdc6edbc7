import type { ToolDeclaration } from '@tool-search/core';
import { atOnce } from '@tool-search/core/internal';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { ListedTools } from './listed-tools.js';

/**
 * The declarations that {@link McpSource} would make of a list of tools, without a server; for tests, for example.
 * Malformed entries are returned unchanged.
 *
 * @param tools as a server lists them
 */
export function listedDeclarations(settings: McpSourceSettings, tools: readonly unknown[]): readonly ToolDeclaration[] {
  const reading = new ListedTools(settings).reading(undefined);
  atOnce(reading.add(tools));
  return reading.finish();
}
