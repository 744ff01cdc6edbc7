import { audiencesOf, hasRemoved, isObject } from '@tool-search/core/internal';
import { appAddress, type ToolApp } from '@tool-search/core/source';
import { pageRule } from '../items/exposed-items.js';
import type { McpSourceSettings } from '../mcp-source-options.js';

/** Characters of an address that clients can read: its rewritten form has at most three times as many, and what stands before. */
const MAX_URI = 600;
/** Of what a server says that it needs no more than a sign for. */
const PLAIN = /^ui:\/\/[\x21-\x7e]+$/;

/** What a listed tool says of MCP Apps. */
interface ReadApp {
  readonly app?: ToolApp;
  /** The server's own address of the tool's page. */
  readonly pageUri?: string;
}

/** Returns the function that reads `_meta` of a listed tool. Without `expose.apps` it reads nothing. */
export function toolAppReader({ name, owner, expose }: McpSourceSettings): (meta: unknown) => ReadApp {
  const isExposed = pageRule(expose);
  if (!isExposed) return () => ({});
  const source = { name, ...(owner !== undefined && { owner }) };
  return (given) => {
    const meta = isObject(given) ? given : {};
    const ui = isObject(meta['ui']) ? meta['ui'] : {};
    const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
    const pageUri = isPageUri(uri) && isExposed(uri) ? uri : undefined;
    const visibility = audiencesOf(ui['visibility']);
    if (pageUri === undefined && visibility === undefined) return {};
    const resourceUri = pageUri === undefined ? undefined : appAddress(source, pageUri);
    const app = { ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility }) };
    return { app, ...(pageUri !== undefined && { pageUri }) };
  };
}

/** Whether this can be the address of a page. Without the mark of a removed credential: its server has another address then. */
function isPageUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.length <= MAX_URI && PLAIN.test(uri) && !hasRemoved(uri);
}
