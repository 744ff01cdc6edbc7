import { META_TOOL_NAMES, ToolSearchError } from '@tool-search/core';

/**
 * Refuses a caller's own tool that is named like a meta tool.
 *
 * @param meta names of the meta tools
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkOwnNames(own: ReadonlySet<string>, meta: readonly string[] = META_TOOL_NAMES): void {
  const clash = meta.find((name) => own.has(name));
  if (clash === undefined) return;
  throw new ToolSearchError('INVALID_CONFIGURATION', `One of your own tools is named ${clash}, like a meta tool.`, {
    hint: 'Give it another name.',
  });
}
