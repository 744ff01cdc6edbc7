import type { ToolSet } from '../../../tool/snapshot/tool-set.js';
import type { SearchState } from '../index/index-state.js';
import { GONE, rowLength, rowStart, type Segment } from '../index/segment.js';

/** Word statistics over the visible tools alone. A request needs few words: each is counted on first use and cached. */
export class ViewStatistics {
  readonly size: number;
  /** The visible tools as bits over the slots of the state; undefined if all slots are visible. */
  readonly slots: Uint32Array | undefined;
  readonly #rarities = new TermNumbers();
  readonly #unknown: number;

  constructor(
    private readonly state: SearchState,
    visible: ToolSet,
  ) {
    this.size = visible.size;
    this.#unknown = rarityOf(0, this.size);
    const isWhole = state.isDense && visible.size === state.snapshot.size;
    this.slots = isWhole ? undefined : slotBits(state, visible);
  }

  sees(slot: number): boolean {
    return !this.slots || (((this.slots[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) !== 0;
  }

  /** Whether any visible tool has the term. */
  has(term: number): boolean {
    return this.rarity(term) < this.#unknown;
  }

  /** BM25's inverse document frequency: the rarer a term among the visible tools, the larger; always above 0. */
  rarity(term: number): number {
    const known = this.#rarities.get(term);
    if (known !== undefined) return known;
    const rarity = rarityOf(this.#frequency(term), this.size);
    this.#rarities.set(term, rarity);
    return rarity;
  }

  /** The rarity of a term that no visible tool has. */
  get unknownRarity(): number {
    return this.#unknown;
  }

  /** Size in bytes, for the cache that holds it. */
  get bytes(): number {
    return 512 + (this.slots?.byteLength ?? 0) + this.#rarities.bytes;
  }

  #frequency(term: number): number {
    let count = 0;
    for (const { segment, offset } of this.state.segments) {
      count += this.slots ? countRow(segment, term, offset, this.slots) : rowLength(segment, term);
    }
    return count;
  }
}

function rarityOf(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function slotBits(state: SearchState, visible: ToolSet): Uint32Array {
  const { slots } = state;
  const words = new Uint32Array((slots + 31) >>> 5);
  for (let word = 0, slot = 0; word < words.length; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32 && slot < slots; bit++, slot++) {
      const id = state.idOf(slot);
      if (id !== GONE && visible.has(id)) bits |= 1 << bit;
    }
    words[word] = bits;
  }
  return words;
}

function countRow(segment: Segment, term: number, offset: number, slots: Uint32Array): number {
  const { tools } = segment;
  const start = rowStart(segment, term);
  const end = start + rowLength(segment, term);
  let count = 0;
  for (let position = start; position < end; position++) {
    const slot = offset + (tools[position] ?? 0);
    count += ((slots[slot >>> 5] ?? 0) >>> (slot & 31)) & 1;
  }
  return count;
}

const EMPTY = 0;

/** A map from terms to numbers in two flat arrays: a few bytes per entry, and no garbage to collect. */
class TermNumbers {
  #keys = new Uint32Array(64);
  #values = new Float64Array(64);
  #size = 0;

  get(term: number): number | undefined {
    const position = this.#positionOf(term + 1);
    return this.#keys[position] === EMPTY ? undefined : this.#values[position];
  }

  set(term: number, value: number): void {
    if (2 * this.#size >= this.#keys.length) this.#grow();
    const position = this.#positionOf(term + 1);
    if (this.#keys[position] === EMPTY) this.#size += 1;
    this.#keys[position] = term + 1;
    this.#values[position] = value;
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#values.byteLength;
  }

  // Position of a key, or the free position for it. At least half of the positions are free.
  #positionOf(key: number): number {
    const mask = this.#keys.length - 1;
    let position = (Math.imul(key, 0x9e37_79b1) >>> 7) & mask;
    for (let found = this.#keys[position]; found !== EMPTY && found !== key; found = this.#keys[position]) {
      position = (position + 1) & mask;
    }
    return position;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#values = new Float64Array(2 * keys.length);
    this.#size = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? EMPTY;
      if (key !== EMPTY) this.set(key - 1, values[i] ?? 0);
    }
  }
}
