import { pointerOf } from '../../../json/json-pointer.js';
import type { JsonValue } from '../../../json/json.js';
import { truncated } from '../../../json/safe-text.js';
import type { ExactJson } from './exact-json.js';

/** A list of which items were left out: where it is, and the first item that is missing. */
export interface CutList {
  readonly pointer: string;
  readonly offset: number;
}

/** Values of up to this many characters are never shortened: what stands for them would not be shorter. */
const SMALL = 32;
/** Characters of the longest words that stand for what was left out. */
const REST = 26;
/** Items of a list that are shown although they must be shortened. */
const FIRST_ITEMS = 3;
/** Members in a row that are too long for what is left; the ones after them are not tried. */
const MISSES = 64;
const MAX_DEPTH = 32;
const ROUNDS = 4;

/**
 * Writes parts of a JSON document in a given number of characters. The result is valid JSON of the same shape: lists
 * keep their first items and say how many are missing, long strings end in "…" with their length, and objects share the
 * room equally among the values that need more than their share. The work grows with the room and the number of keys,
 * not with the document.
 */
export class FittedJson {
  #missing = 0;
  #cut: CutList | undefined;
  #isWhole = true;
  readonly #path: string[];

  /** @param path where the parts are within the document */
  constructor(
    private readonly json: ExactJson,
    path: readonly string[] = [],
  ) {
    this.#path = [...path];
  }

  /** Whether nothing was left out so far. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The list of which most items were left out so far. */
  get cut(): CutList | undefined {
    return this.#cut;
  }

  /** A value in about `room` characters: few more only where a list or object holds nothing but what is left out. */
  value(value: JsonValue, room: number, depth = 0): string {
    if (this.json.length(value, Math.max(room, SMALL)) < Infinity) return this.json.text(value);
    this.#isWhole = false;
    const string = this.json.string(value);
    if (string !== undefined) return this.#string(string, room);
    if (typeof value !== 'object' || value === null) return this.json.text(value);
    if (Array.isArray(value)) {
      const items = value as readonly JsonValue[];
      if (depth >= MAX_DEPTH || room < SMALL) return `"[… ${items.length} items]"`;
      const { texts } = this.items(items, room - REST, depth, FIRST_ITEMS);
      const rest = items.length - texts.length;
      if (rest > this.#missing) {
        this.#missing = rest;
        this.#cut = { pointer: pointerOf(this.#path), offset: texts.length };
      }
      return `[${[...texts, ...(rest > 0 ? [`"… ${rest} more items"`] : [])].join(',')}]`;
    }
    const keys = this.json.keys(value);
    if (depth >= MAX_DEPTH || room < SMALL) return `"{… ${keys.length} keys}"`;
    const { texts } = this.members(value as Readonly<Record<string, JsonValue>>, keys, room - REST, depth);
    const rest = keys.length - texts.length;
    return `{${[...texts, ...(rest > 0 ? [`${JSON.stringify(freeKey(value))}:"${rest} more keys"`] : [])].join(',')}}`;
  }

  /**
   * The first items that fit into `room`, each as a whole; up to `shortened` of them may be shortened.
   *
   * @param from index of the first item within its list
   */
  items(
    items: readonly JsonValue[],
    room: number,
    depth = 0,
    shortened = 1,
    from = 0,
  ): { readonly texts: readonly string[] } {
    const texts: string[] = [];
    let left = room - 2;
    for (const [index, item] of items.entries()) {
      const share = Math.floor(index < shortened ? left / (Math.min(shortened, items.length) - index) : left) - 1;
      const fits = share > 0 && this.json.length(item, share) < Infinity;
      if (!fits && (index >= shortened || share < SMALL)) break;
      const text = fits
        ? this.json.text(item)
        : this.#at(String(from + index), () => this.value(item, share, depth + 1));
      texts.push(text);
      left -= text.length + 1;
    }
    return { texts };
  }

  /** The first of these members of an object for which `room` is enough, the longer ones shortened. */
  members(
    object: Readonly<Record<string, JsonValue>>,
    keys: readonly string[],
    room: number,
    depth = 0,
  ): { readonly texts: readonly string[] } {
    const shown: { readonly key: string; readonly start: string; readonly value: JsonValue }[] = [];
    let least = 2;
    let left = room - 2;
    let misses = 0;
    for (const key of keys) {
      if (left <= least || misses > MISSES) break;
      misses += 1;
      if (key.length > left) continue;
      const value = object[key] ?? null;
      const start = `${JSON.stringify(key)}:`;
      const need = start.length + 1 + Math.min(SMALL, this.json.length(value, SMALL));
      least = 4;
      if (need > left) continue;
      misses = 0;
      left -= need;
      shown.push({ key, start, value });
    }
    if (shown.length < keys.length) this.#isWhole = false;
    const free = room - 2 - shown.reduce((sum, { start }) => sum + start.length + 1, 0);
    const shares = this.#shares(shown, free);
    return {
      texts: shown.map(
        ({ key, start, value }, index) =>
          start + this.#at(key, () => this.value(value, Math.max(SMALL, shares[index] ?? 0), depth + 1)),
      ),
    };
  }

  // Each value gets what it needs, or an equal share of what the shorter ones leave over. Measures no further than the
  // share of each round, so that a round costs no more than the room.
  #shares(shown: readonly { readonly value: JsonValue }[], room: number): readonly number[] {
    const shares: number[] = [];
    let open = [...shown.keys()];
    let left = room;
    for (let round = 0; round < ROUNDS && open.length > 0; round++) {
      const share = Math.floor(left / open.length);
      const before = open.length;
      open = open.filter((index) => {
        const length = this.json.length(shown[index]?.value ?? null, share);
        if (length === Infinity) return true;
        shares[index] = length;
        left -= length;
        return false;
      });
      if (open.length === before) break;
    }
    for (const index of open) shares[index] = Math.floor(left / open.length);
    return shares;
  }

  #string(text: string, room: number): string {
    const end = `… (${text.length} characters)`;
    const most = Math.max(0, room - end.length - 2);
    let kept = truncated(text, most);
    for (let length = escaped(kept); length > most; length = escaped(kept)) {
      kept = truncated(kept, Math.floor((kept.length * most) / length));
    }
    return JSON.stringify(kept + end);
  }

  #at<T>(key: string, work: () => T): T {
    this.#path.push(key);
    try {
      return work();
    } finally {
      this.#path.pop();
    }
  }
}

function escaped(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** The key that says how many keys are missing: one that the object does not have. */
function freeKey(value: object): string {
  let key = '…';
  while (Object.hasOwn(value, key)) key += '…';
  return key;
}
