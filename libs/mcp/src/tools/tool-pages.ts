import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { ToolSearchError } from '@tool-search/core';
import { depthOf, isObject, TimeSlicer } from '@tool-search/core/source';
import type { ItemList } from '../items/exposed-items.js';

const MAX_PAGES = 50;
const MAX_LIST_BYTES = 5 * 1024 * 1024;
const ASIDE = 'tool-search/';
const LIST_KEYS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
/** Maximum nesting of one tool: far above the catalog's limit, far below a stack overflow. */
const MAX_DEPTH = 1_000;
/** Milliseconds of work on tools between two turns of the event loop. */
export const SLICE_MS = 8;
const TOO_DEEP = Array.from({ length: MAX_DEPTH }).reduce<object>((inner) => ({ not: inner }), {});

/** A list of a server that is read page by page. */
export interface PagedList {
  readonly method: 'tools/list' | ItemList['method'];
  readonly key: (typeof LIST_KEYS)[number];
}

/** The list of tools. */
export const TOOL_LIST: PagedList = { method: 'tools/list', key: 'tools' };

/**
 * Moves the entries of an answer to `tools/list` and its like into its `_meta` before the SDK validates it. The SDK
 * validates a page as a whole, so one malformed entry would reject all the others.
 */
export function layListAside(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  for (const key of LIST_KEYS) {
    if (!Array.isArray(result[key])) continue;
    result['_meta'] = { ...result['_meta'], [`${ASIDE}${key}`]: result[key] };
    result[key] = [];
  }
}

/**
 * A list of a server page by page, not validated, from a client whose messages went through {@link layListAside}. A
 * tool of more than 1,000 levels is replaced by its name and a schema that is also too deep for the catalog, so that
 * only this tool is rejected.
 *
 * @throws ToolSearchError `SOURCE_LIMIT` after 50 pages or 5 MiB, or when a cursor repeats
 */
export async function* listPages(
  client: Client,
  { method, key }: PagedList,
  signal: AbortSignal,
  timeout: number,
): AsyncGenerator<readonly unknown[]> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let bytes = 0;
  const slices = new TimeSlicer(SLICE_MS, signal);
  do {
    const request = { method, ...(cursor === undefined ? {} : { params: { cursor } }) };
    const page = await client.request(request, { signal, timeout });
    const listed = (page._meta?.[`${ASIDE}${key}`] ?? []) as readonly unknown[];
    const tools: unknown[] = [];
    for (const raw of listed) {
      const tool = withinDepth(raw);
      bytes += Buffer.byteLength(JSON.stringify(tool));
      if (bytes > MAX_LIST_BYTES) throw tooMuch(`more than ${MAX_LIST_BYTES} bytes of ${key}`);
      tools.push(tool);
      if (slices.due) await slices.pause();
    }
    yield tools;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (cursors.has(cursor)) throw tooMuch('a list that leads back to a page it has already shown');
    cursors.add(cursor);
  } while (cursors.size < MAX_PAGES);
  throw tooMuch(`more than ${MAX_PAGES} pages of ${key}`);
}

function withinDepth(tool: unknown): unknown {
  if (depthOf(tool, MAX_DEPTH) <= MAX_DEPTH) return tool;
  const name = isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : undefined;
  return { name, inputSchema: TOO_DEEP };
}

function tooMuch(what: string): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `The server brought ${what}.`, {
    hint: 'Ask whoever runs the server; its last good tools stay.',
  });
}
