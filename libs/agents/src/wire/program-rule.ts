import type { ToolDefinition, ToolFailure } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { changesNothing, checkGlob, globSet } from '@tool-search/core/internal';

/**
 * Which tools a program of the model may call: those that only read, and those that the application names.
 *
 * @param tools names or globs of further tools
 * @param option where they were set, for the error
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a wrong glob
 */
export function programRule(tools: readonly string[], option: string): (tool: ToolDefinition) => boolean {
  const isNamed = globSet(tools.map((glob) => checkGlob(glob, option)));
  return (tool) => changesNothing(tool) || isNamed(tool.name);
}

/** The result of a call that a program may not make. */
export function programCallRefused(): ToolFailure {
  return failure('TOOL_NOT_AVAILABLE', 'Code cannot call this tool.', 'Call it directly, outside of the code.');
}
