import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { JsonSchema, ListedTool, MetaTool } from '@tool-search/core';
import type { SideEffects } from '@tool-search/core/internal';
import type { ToolApp } from '@tool-search/core/source';

/** Claude Code hides the tools of MCP servers behind a search of its own, except those with this key. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };

/** Annotations of a tool that changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true };

/** Annotations for clients, by side-effect class. Without a declaration, a change may destroy something. */
const ANNOTATIONS: Readonly<Record<SideEffects, ToolAnnotations>> = {
  pure: { ...READS, idempotentHint: true, openWorldHint: false },
  read: READS,
  write: { readOnlyHint: false, destructiveHint: true },
  external: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  stateful: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/**
 * A tool of the catalog in the form of MCP.
 *
 * @param outputSchema the schema that all its results keep
 * @param opensApps whether the client shows the pages of tools
 */
export function listedTool(
  { definition, description, inputSchema }: ListedTool,
  name: string,
  outputSchema: JsonSchema | undefined,
  opensApps: boolean,
): Tool {
  const { title, sideEffects } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema?.['type'] === 'object' && { outputSchema: outputSchema as Tool['outputSchema'] }),
    annotations: { ...(title !== undefined && { title }), ...ANNOTATIONS[sideEffects] },
    ...(opensApps && definition.app && { _meta: appMeta(definition.app) }),
  };
}

/** What hosts of MCP Apps read of a tool: older ones know the address of its page by a key of its own. */
function appMeta(ui: ToolApp): Record<string, unknown> {
  return { ui, ...(ui.resourceUri !== undefined && { 'ui/resourceUri': ui.resourceUri }) };
}

/** A meta tool in the form of MCP. @param kinds the tools behind it, for the description of the search */
export function listedMetaTool({ name, description, inputSchema }: MetaTool, kind: string, kinds: string): Tool {
  return {
    name,
    description: kind === 'search' && kinds !== '' ? `${description} ${kinds}` : description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: kind === 'search' || kind === 'get' ? READS : ANNOTATIONS.external,
    _meta: ALWAYS_LOAD,
  };
}
