import { randomBytes } from 'node:crypto';
import { STRING_OR_NUMBER } from '../../../json/exact-decimal.js';
import type { JsonValue } from '../../../json/json.js';

/** Parsing 4 Mi characters takes about 40 ms; a longer text is treated as plain text. */
const MAX_CHARS = 4_194_304;
const MAX_DEPTH = 200;
/** Strings and numbers that are looked at between two yields. */
const STEP = 2000;
const MAY_BE_INEXACT = /\d{16}|\d[eE]/;

/**
 * A parsed JSON document that writes every number with the digits that it came with: `JSON.parse` rounds ids such as
 * 9007199254740993, and a model would read the id of another object.
 */
export class ExactJson {
  readonly #marked: RegExp | undefined;
  readonly #keys = new WeakMap<object, readonly string[]>();

  private constructor(
    readonly value: JsonValue,
    /** Begins a string that stands for a number. */
    private readonly mark: string,
  ) {
    this.#marked = mark === '' ? undefined : new RegExp(`"${mark}([^"]*)"`, 'g');
  }

  /**
   * The document of a text; undefined for a text that is no JSON object or list, or longer than 4 Mi characters. Yields
   * between short pieces of work; only `JSON.parse` itself is not interrupted.
   */
  static *of(text: string): Generator<undefined, ExactJson | undefined> {
    if (text.length > MAX_CHARS || !/^\s*[{[]/.test(text)) return undefined;
    const mark = MAY_BE_INEXACT.test(text) ? `${randomBytes(8).toString('hex')}:` : '';
    const safe = mark === '' ? text : yield* marked(text, mark);
    yield;
    try {
      return new ExactJson(JSON.parse(safe) as JsonValue, mark);
    } catch {
      return undefined;
    }
  }

  /** The keys of an object. Listed once: a list of many keys takes milliseconds. */
  keys(part: object): readonly string[] {
    let keys = this.#keys.get(part);
    if (!keys) this.#keys.set(part, (keys = Object.keys(part)));
    return keys;
  }

  /** The JSON text of a part of the document, without spaces. Its depth must have been measured. */
  text(part: JsonValue): string {
    const text = JSON.stringify(part);
    return this.#marked ? text.replaceAll(this.#marked, '$1') : text;
  }

  /** The characters of a string; undefined for any other value. */
  string(part: JsonValue | undefined): string | undefined {
    return typeof part === 'string' && !this.#isNumber(part) ? part : undefined;
  }

  /** A string, number, boolean or `null` as text; undefined for an object or a list. */
  leaf(part: JsonValue): string | undefined {
    if (typeof part === 'object' && part !== null) return undefined;
    return this.string(part) ?? this.text(part);
  }

  /** The length of the JSON text of a part, or Infinity if it is longer than `cap` or deeper than 200 levels. */
  length(part: JsonValue, cap: number, depth = 0): number {
    if (typeof part !== 'object' || part === null) {
      const isLong = typeof part === 'string' && part.length > cap;
      const length = isLong ? Infinity : this.text(part).length;
      return length > cap ? Infinity : length;
    }
    if (depth === MAX_DEPTH) return Infinity;
    let length = 1;
    if (Array.isArray(part)) {
      if (part.length === 0) return 2;
      for (const item of part as readonly JsonValue[]) {
        length += 1 + this.length(item, cap - length - 1, depth + 1);
        if (length > cap) return Infinity;
      }
      return length;
    }
    const members = part as Readonly<Record<string, JsonValue>>;
    const keys = this.keys(part);
    for (const key of keys) {
      length += 2 + (key.length > cap ? Infinity : JSON.stringify(key).length);
      if (length > cap) return Infinity;
      length += this.length(members[key] ?? null, cap - length, depth + 1);
      if (length > cap) return Infinity;
    }
    return keys.length === 0 ? 2 : length;
  }

  #isNumber(text: string): boolean {
    return this.mark !== '' && text.startsWith(this.mark);
  }
}

/** The text with a marked string in the place of each number that `JSON.parse` would change. */
function* marked(text: string, mark: string): Generator<undefined, string> {
  const parts: string[] = [];
  let end = 0;
  let seen = 0;
  for (const { 0: part, index } of text.matchAll(STRING_OR_NUMBER)) {
    if (!isExact(part)) {
      parts.push(text.slice(end, index), `"${mark}${part}"`);
      end = index + part.length;
    }
    if (++seen % STEP === 0) yield;
  }
  return [...parts, text.slice(end)].join('');
}

/** Whether `JSON.parse` keeps the digits of a number. Strings count as exact. */
function isExact(part: string): boolean {
  return part.startsWith('"') || String(Number(part)) === part || !MAY_BE_INEXACT.test(part);
}
