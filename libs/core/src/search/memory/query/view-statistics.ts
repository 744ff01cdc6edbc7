import type { ToolSet } from '../../../tool/snapshot/tool-set.js';
import type { SearchState } from '../index/index-state.js';
import { GONE, rowLength, rowStart, type Segment } from '../index/segment.js';
import { TermNumbers } from '../index/term-numbers.js';

/**
 * Word statistics over the visible tools alone. A word is counted on first use and its rarity cached, because a request
 * needs only a few.
 */
export class ViewStatistics {
  /** Number of visible tools. */
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
