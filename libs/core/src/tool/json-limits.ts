import { ToolSearchError } from './tool-search.error.js';

/** How large a JSON value may be, beside its bytes. */
export interface JsonLimits {
  /** Levels of objects and lists. */
  readonly depth: number;
  /** Keys of one object. Libraries that copy objects take time quadratic in them. */
  readonly objectKeys: number;
  /** Values in all: objects, lists, and what they hold. */
  readonly values: number;
}

/** @throws ToolSearchError `ARGUMENTS_TOO_LARGE` if one of the counts is over its limit */
export function checkCounts(what: string, counts: Readonly<Partial<JsonLimits>>, limits: JsonLimits): void {
  const { depth = 0, objectKeys = 0, values = 0 } = counts;
  if (depth > limits.depth) throw tooLarge(`${what} more than ${limits.depth} levels deep.`, 'Nest it less.');
  if (objectKeys > limits.objectKeys)
    throw tooLarge(`${what} too large: one object has more than ${limits.objectKeys} keys.`, 'Use a list instead.');
  if (values > limits.values)
    throw tooLarge(`${what} too large: more than ${limits.values} values in all.`, 'Send less at once.');
}

function tooLarge(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('ARGUMENTS_TOO_LARGE', message, { hint });
}

const [QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  34, 44, 58, 91, 92, 93, 123, 125,
];

/**
 * Checks JSON text before it is parsed, in one pass over its characters. Text that is not JSON passes: the parser says
 * what is wrong with it.
 *
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE`; `INVALID_REQUEST` for an object with the same key twice, of which
 *   `JSON.parse` silently keeps the last one while a proxy in between may have looked at the first
 */
export function checkJsonText(text: string, what: string, limits: JsonLimits): void {
  const open: (Set<string> | undefined)[] = [];
  // Each value but the first follows an opening or a comma.
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = keyOf(text.slice(at + 1, end - 1));
        if (keys.has(key)) throw repeatedKey(what);
        checkCounts(what, { objectKeys: keys.add(key).size }, limits);
      }
      at = end - 1;
    } else if (char === COMMA) values += 1;
    else if (char === OPEN_OBJECT || char === OPEN_LIST) {
      values += 1;
      checkCounts(what, { depth: open.push(char === OPEN_OBJECT ? new Set() : undefined), values }, limits);
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) open.pop();
  }
  checkCounts(what, { values }, limits);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === QUOTE) return at + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

// One key can be written in several ways.
function keyOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function repeatedKey(what: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `${what} not readable as JSON: an object has the same key twice.`, {
    hint: 'Send each key once.',
  });
}
