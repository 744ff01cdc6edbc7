import { audiencesOf, hasRemoved, isObject, isPageUri } from '@tool-search/core/internal';
import type { ToolApp } from '@tool-search/core/source';
import { pageRule } from '../items/exposed-items.js';
import type { McpSourceSettings } from '../mcp-source-options.js';

/** What a listed tool says of MCP Apps. */
interface ReadApp {
  readonly app?: ToolApp;
  /** The server's own address of the tool's page. */
  readonly pageUri?: string;
}

/** Returns the function that reads `_meta` of a listed tool. Without `expose.apps` it reads nothing. */
export function toolAppReader({ expose }: McpSourceSettings): (meta: unknown) => ReadApp {
  const isExposed = pageRule(expose);
  if (!isExposed) return () => ({});
  return (given) => {
    const meta = isObject(given) ? given : {};
    const ui = isObject(meta['ui']) ? meta['ui'] : {};
    const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
    // With the mark of a removed credential it is not the server's address.
    const pageUri = isPageUri(uri) && !hasRemoved(uri) && isExposed(uri) ? uri : undefined;
    const visibility = audiencesOf(ui['visibility']);
    if (pageUri === undefined && visibility === undefined) return {};
    const app = { ...(pageUri !== undefined && { resourceUri: pageUri }), ...(visibility && { visibility }) };
    return { app, ...(pageUri !== undefined && { pageUri }) };
  };
}
