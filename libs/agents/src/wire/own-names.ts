import { META_TOOL_NAMES, ToolSearchError } from '@tool-search/core';
import type { AgentToolbox } from './agent-toolbox.js';

/** Names of a toolbox's meta tools, in all modes. */
export function metaNamesOf({ metaKinds }: Pick<AgentToolbox, 'metaKinds'>): readonly string[] {
  return metaKinds ? [...metaKinds.keys()] : META_TOOL_NAMES;
}

/**
 * Refuses own tools of the caller that are named like a meta tool.
 *
 * @param meta names of the meta tools
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkOwnNames(own: ReadonlySet<string>, meta: readonly string[]): void {
  const clash = meta.find((name) => own.has(name));
  if (clash === undefined) return;
  throw new ToolSearchError('INVALID_CONFIGURATION', `One of your own tools is named ${clash}, like a meta tool.`, {
    hint: 'Give it another name.',
  });
}
