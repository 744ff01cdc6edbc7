import { ToolSearchError, type ToolSearchErrorCode } from './tool-search.error.js';

/** Bounds on the shape of a JSON value, in addition to its bytes. */
export interface JsonLimits {
  /** Nesting depth of objects and lists. */
  readonly depth: number;
  /** Keys of one object. Libraries that copy objects may need time quadratic in this number. */
  readonly objectKeys: number;
  /** All values: objects, lists and their members. */
  readonly values: number;
}

/** Room for a call's arguments at their limits, within a body or a text that contains them. */
export const BODY_LIMITS: JsonLimits = { depth: 40, objectKeys: 1_000, values: 12_000 };

/** @throws ToolSearchError `ARGUMENTS_TOO_LARGE` if a count exceeds its limit */
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
 * Checks JSON text before it is parsed, in one pass over its characters. Text that is not JSON passes: the parser
 * reports its error.
 *
 * @param repeated the code for an object with the same key twice. @default 'INVALID_REQUEST'
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE`; `repeated` for an object with the same key twice: `JSON.parse` silently
 *   keeps the last one, while a proxy in front may have checked the first
 */
export function checkJsonText(
  text: string,
  what: string,
  limits: JsonLimits,
  repeated: ToolSearchErrorCode = 'INVALID_REQUEST',
): void {
  const open: (Set<string> | undefined)[] = [];
  // Each value except the first follows an opening bracket or a comma.
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = keyOf(text.slice(at + 1, end - 1));
        if (keys.has(key)) throw repeatedKey(what, repeated);
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

// Escapes allow several spellings of the same key.
function keyOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function repeatedKey(what: string, code: ToolSearchErrorCode): ToolSearchError {
  return new ToolSearchError(code, `${what} not readable as JSON: an object has the same key twice.`, {
    hint: 'Send each key once.',
  });
}
