import type { Client } from '@modelcontextprotocol/client';
import { ToolSearchError } from '@tool-search/core';
import { depthOf, isObject, TimeSlicer } from '@tool-search/core/internal';
import { CursorTooLarge, NoList } from '../errors/error-kinds.js';
import type { ItemList } from '../items/exposed-items.js';
import { rawResult } from '../messages/sound-result.js';

const MAX_PAGES = 50;
const MAX_LIST_BYTES = 5 * 1024 * 1024;
/** Maximum nesting of one tool: far above the catalog's limit, far below a stack overflow. */
const MAX_DEPTH = 1_000;
/** Bytes and levels of a cursor, which is kept and sent back. */
const MAX_CURSOR_BYTES = 64 * 1024;
const MAX_CURSOR_DEPTH = 64;
/** Milliseconds of work on tools between two turns of the event loop. */
export const SLICE_MS = 8;
const TOO_DEEP = Array.from({ length: MAX_DEPTH }).reduce<object>((inner) => ({ not: inner }), {});

/** A list of a server that is read page by page. */
export interface PagedList {
  readonly method: 'tools/list' | ItemList['method'];
  readonly key: 'tools' | ItemList['key'];
}

/** The list of tools. */
export const TOOL_LIST: PagedList = { method: 'tools/list', key: 'tools' };

/**
 * A list of a server page by page, not validated. A tool of more than 1,000 levels is replaced by its name and a schema
 * that is also too deep for the catalog, so that only this tool is rejected. An entry with a name or URI
 * that an earlier page had too, in the same words, comes once. The last page is one without a cursor, or whose cursor
 * leads back to a page that was shown.
 *
 * @param timeoutMs the time that a page may take, by the number of pages read before
 * @throws ToolSearchError `SOURCE_LIMIT` after 50 pages or 5 MiB; NoList for anything but a list, after an empty page if
 * it is null; CursorTooLarge for a cursor of more than 64 KiB or 64 levels, after the page that has it
 */
export async function* listPages(
  client: Client,
  { method, key }: PagedList,
  signal: AbortSignal,
  timeoutMs: (pages: number) => number,
): AsyncGenerator<readonly unknown[]> {
  const cursors = new Set<string>();
  const shown = new Set<string>();
  let cursor: unknown;
  let bytes = 0;
  const slices = new TimeSlicer(SLICE_MS, signal);
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    // A server gets its cursor back as it was, whatever type it has.
    const request = { method, ...(cursor === undefined ? {} : { params: { cursor: cursor as string } }) };
    const page = rawResult(await client.request(request, { signal, timeout: timeoutMs(pages) }));
    const listed = page[key];
    if (listed === null) {
      yield [];
      throw new NoList(method, key, true);
    }
    if (!Array.isArray(listed)) throw new NoList(method, key);
    const tools: unknown[] = [];
    const texts: string[] = [];
    for (const raw of listed) {
      const tool = withinDepth(raw);
      const text = JSON.stringify(tool);
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_LIST_BYTES) throw tooMuch(`more than ${MAX_LIST_BYTES} bytes of ${key}`);
      texts.push(text);
      if (!isNamed(tool) || !shown.has(text)) tools.push(tool);
      if (slices.due) await slices.pause();
    }
    for (const text of texts) shown.add(text);
    yield tools;
    cursor = nextCursor(page);
    if (cursor === undefined) return;
    const sent = cursorText(cursor, method);
    if (cursors.has(sent)) return;
    cursors.add(sent);
  }
  throw tooMuch(`more than ${MAX_PAGES} pages of ${key}`);
}

/** Null and an empty text are no cursor. */
function nextCursor({ nextCursor: cursor }: Readonly<Record<string, unknown>>): unknown {
  return cursor === null || cursor === '' || cursor === false ? undefined : cursor;
}

/** A cursor as it is sent back. @throws CursorTooLarge */
function cursorText(cursor: unknown, method: string): string {
  if (depthOf(cursor, MAX_CURSOR_DEPTH) > MAX_CURSOR_DEPTH) {
    throw new CursorTooLarge(method, `a cursor of more than ${MAX_CURSOR_DEPTH} levels`);
  }
  const text = JSON.stringify(cursor);
  if (Buffer.byteLength(text) <= MAX_CURSOR_BYTES) return text;
  throw new CursorTooLarge(method, `a cursor of more than ${MAX_CURSOR_BYTES} bytes`);
}

/** What names nothing is refused each time: it is no second copy of something. */
function isNamed(entry: unknown): boolean {
  return isObject(entry) && [entry['name'], entry['uri'], entry['uriTemplate']].some((id) => isText(id) && id !== '');
}

function withinDepth(tool: unknown): unknown {
  if (depthOf(tool, MAX_DEPTH) <= MAX_DEPTH) return tool;
  const name = isObject(tool) && isText(tool['name']) ? tool['name'] : undefined;
  return { name, inputSchema: TOO_DEEP };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function tooMuch(what: string): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `The server brought ${what}.`, {
    hint: 'Ask whoever runs the server; its last good tools stay.',
  });
}
