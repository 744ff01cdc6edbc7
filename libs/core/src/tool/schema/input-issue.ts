import type { InputIssue } from '../tool-definition.js';

/** Issues of one input that are reported. */
export const MAX_ISSUES = 10;
const MAX_KEY = 64;
const MAX_PATH = 300;
const MAX_MESSAGE = 300;
/** A longer value is recognized by its first characters, because libraries shorten values in their messages. */
const TELLING = 24;
/** A value shorter than this counts only as a whole word: "a" occurs in many words. */
const SHORT = 4;

/** An issue of bounded length. Keys, and therefore paths and messages, come from callers and servers. */
export function inputIssue(path: string, message: string): InputIssue {
  return { path: path.slice(0, MAX_PATH) || '/', message: message.slice(0, MAX_MESSAGE) };
}

/** JSON pointer to a location in the input; each key is cut to 64 characters. */
export function pointerTo(...keys: readonly unknown[]): string {
  return keys.map((key) => `/${String(key).slice(0, MAX_KEY).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Offset at which a message starts to repeat a value or a part of it, which can be secret; -1 if it does not. */
export function valueStart(message: string, value: unknown): number {
  const shown = message.slice(0, MAX_MESSAGE + TELLING);
  const seen = new Set<unknown>();
  const startOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return scalarStart(shown, part);
    if (seen.has(part)) return -1;
    seen.add(part);
    return first(Object.values(part).map(startOf));
  };
  return startOf(value);
}

function scalarStart(message: string, value: unknown): number {
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return -1;
  const text = String(value);
  return first([text, JSON.stringify(text).slice(1, -1)].map((form) => textStart(message, form)));
}

function textStart(message: string, text: string): number {
  if (text === '') return -1;
  const needle = text.slice(0, TELLING);
  let start = message.indexOf(needle);
  while (text.length < SHORT && start !== -1 && isInWord(message, start, start + needle.length)) {
    start = message.indexOf(needle, start + 1);
  }
  return start;
}

function isInWord(message: string, start: number, end: number): boolean {
  return [message[start - 1], message[end]].some((beside) => beside !== undefined && /[\p{L}\p{N}]/u.test(beside));
}

function first(starts: readonly number[]): number {
  return starts.reduce((least, start) => (start !== -1 && (least === -1 || start < least) ? start : least), -1);
}
