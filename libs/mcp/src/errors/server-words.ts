import { isObject, parsedJson, redactedText, truncated } from '@tool-search/core/internal';

const MAX_CHARS = 200;
/** Only the beginning of a long text is shown: what comes later need not be read. */
const MAX_READ = 10_000;
/** Where APIs say in JSON what went wrong. */
const MEMBERS = ['message', 'error_description', 'detail', 'description', 'title', 'error'];

/**
 * A server's words as a sentence for operators, marked as its words: one line of at most 200 characters, without control
 * and invisible characters and what looks like a credential. Empty for a server that says nothing.
 */
export function quotedWords(words: string | undefined): string {
  if (words === undefined) return '';
  const line = printable(words);
  return line === '' ? '' : ` It says: "${line}".`;
}

/** One line of at most 200 characters of a text of a server, as {@link quotedWords} shows it. */
export function printable(words: string): string {
  const line = redactedText(words.slice(0, MAX_READ))
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  return line.length > MAX_CHARS ? `${truncated(line, MAX_CHARS)}…` : line;
}

/** What the body of an HTTP error says, and the code of a JSON-RPC error in it. A page of a website says nothing. */
export function wordsOfBody(body: string): { readonly words: string; readonly code?: number } {
  const json = parsedJson(body);
  if (json === undefined) return { words: /^\s*</.test(body) ? '' : body };
  const error = isObject(json) ? json['error'] : undefined;
  const code = isObject(error) && Number.isInteger(error['code']) ? { code: error['code'] as number } : {};
  return { words: wordsIn(error) ?? wordsIn(json) ?? '', ...code };
}

function wordsIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (!isObject(json)) return undefined;
  return MEMBERS.map((name) => json[name]).find((value): value is string => typeof value === 'string' && value !== '');
}
