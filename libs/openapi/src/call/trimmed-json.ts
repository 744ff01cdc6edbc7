import type { JsonValue } from '@tool-search/core';
import { isObject, truncated } from '@tool-search/core/internal';

/** A value within the limit, and whether anything was removed. */
export interface TrimmedJson {
  readonly value: JsonValue;
  readonly cut: boolean;
}

const MIN_VALUE = 32;
const NOTE_CHARS = 48;
const NOTE_KEY = '[cut]';

/**
 * Trims a JSON value to about `maxChars` characters of JSON: shortens lists from the end, cuts long strings, and
 * replaces deep values without room by a note. In an object, small values stay whole and large ones share the remaining
 * room.
 */
export function trimmedJson(value: JsonValue, maxChars: number): TrimmedJson {
  const trimmer = new Trimmer();
  return { value: trimmer.trim(value, maxChars), cut: trimmer.cut };
}

class Trimmer {
  cut = false;
  readonly #sizes = new Map<object, number>();

  trim(value: JsonValue, room: number): JsonValue {
    if (this.#sizeOf(value) <= room) return value;
    this.cut = true;
    if (typeof value === 'string') return shortened(value, room);
    if (Array.isArray(value)) return this.#list(value as readonly JsonValue[], room);
    if (isObject(value)) return this.#object(value as Readonly<Record<string, JsonValue>>, room);
    return value;
  }

  #list(list: readonly JsonValue[], room: number): JsonValue {
    if (room < NOTE_CHARS) return `[list of ${list.length} left out]`;
    const kept: JsonValue[] = [];
    let left = room - NOTE_CHARS;
    for (const item of list) {
      const size = this.#sizeOf(item) + 1;
      // Keep at least a part of the first item: it shows the shape of the others.
      if (size > left && kept.length > 0) break;
      const part = size > left ? this.trim(item, left) : item;
      kept.push(part);
      left -= size;
    }
    const missing = list.length - kept.length;
    return missing === 0 ? kept : [...kept, `[${missing} more left out]`];
  }

  #object(object: Readonly<Record<string, JsonValue>>, room: number): JsonValue {
    const entries = Object.entries(object);
    if (room < NOTE_CHARS) return `[object of ${entries.length} left out]`;
    const least = ([key, item]: readonly [string, JsonValue]) =>
      JSON.stringify(key).length + 2 + Math.min(this.#sizeOf(item), MIN_VALUE);
    const needed = entries.reduce((sum, entry) => sum + least(entry), 0);
    // Reserves room for a note only if the smallest form of all properties does not fit.
    let left = room - (needed > room - 2 ? NOTE_CHARS : 2);
    const named: (readonly [string, JsonValue])[] = [];
    for (const entry of entries) {
      if (least(entry) > left) break;
      left -= least(entry);
      named.push(entry);
    }
    const shares = this.#shares(named, left);
    const kept = named.map(([key, item], index) => [key, this.trim(item, shares[index] ?? 0)] as const);
    const missing = entries.length - named.length;
    const note = missing > 0 ? [[NOTE_KEY, `${missing} more properties left out`] as const] : [];
    return Object.fromEntries([...kept, ...note]);
  }

  /** The room of each value: small ones get what they need, the others share the rest equally. */
  #shares(entries: readonly (readonly [string, JsonValue])[], extra: number): number[] {
    const sizes = entries.map(([, value]) => this.#sizeOf(value));
    let left = extra + sizes.reduce((sum, size) => sum + Math.min(size, MIN_VALUE), 0);
    const shares: number[] = [];
    const bySize = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
    for (const [done, { size, index }] of bySize.entries()) {
      const share = Math.min(size, Math.floor(left / (sizes.length - done)));
      shares[index] = share;
      left -= share;
    }
    return shares;
  }

  #sizeOf(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const entries = Object.entries(value as Record<string, JsonValue>);
    // Two brackets, and a comma after each item except the last.
    let size = entries.length === 0 ? 2 : 1;
    for (const [key, item] of entries) {
      size += this.#sizeOf(item) + 1 + (Array.isArray(value) ? 0 : JSON.stringify(key).length + 1);
    }
    this.#sizes.set(value, size);
    return size;
  }
}

function shortened(text: string, room: number): string {
  const note = `… [${text.length} characters]`;
  const keep = Math.max(0, room - note.length - 2);
  // Escapes take more room than the character itself, so the text may need to be shortened further.
  const fits = (length: number) => JSON.stringify(text.slice(0, length)).length <= keep + 2;
  let length = keep;
  while (length > 0 && !fits(length)) length = Math.floor(length * 0.8);
  return `${truncated(text, length)}${note}`;
}
