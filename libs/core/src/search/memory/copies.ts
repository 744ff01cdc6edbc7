import { COPY_WORDS, CopyMarks, isNearCopy } from '../text/near-copy.js';
import { stem } from '../text/stem.js';
import type { IndexState } from './index-state.js';
import { GAP, type Segment } from './segment.js';

const COPY_STEMS: ReadonlySet<string> = new Set([...COPY_WORDS].map(stem));

/** Originals of one name that a tool is compared with: a source may bring any number. */
const MAX_ORIGINALS = 8;

// Spreads numbers, so that hardly any two names have the same sum (Knuth, "Sorting and Searching", 6.4).
const SPREAD = 0x9e37_79b1;

// Per tool of a segment the key of its name, 0 until it is asked for. It comes from the numbers of its terms, which belong to
// the segment's lexicon.
const nameKeys = new WeakMap<Segment, Float64Array>();

interface Original {
  readonly slot: number;
  readonly source: string;
  readonly copies: number[];
  marks?: CopyMarks;
}

/**
 * Gathers the near-copies among the tools of one answer under the one that came first, so that a hundred clones of a tool take
 * the place of one. Only tools of one source whose names have the same terms are compared, which hardly ever happens.
 */
export class Copies {
  readonly #originals = new Map<number, Original[]>();

  constructor(private readonly state: IndexState) {}

  /** Whether the slot is no copy of one that was added before. */
  add(slot: number): boolean {
    const { snapshot } = this.state;
    const { source } = snapshot.at(this.state.idOf(slot));
    const own: Original = { slot, source, copies: [] };
    const key = this.#keyOf(slot);
    const known = this.#originals.get(key);
    if (!known) {
      this.#originals.set(key, [own]);
      return true;
    }
    let others = 0;
    for (const other of known) {
      if (other.source !== source) continue;
      if (isNearCopy(this.#marksOf(own), this.#marksOf(other))) {
        other.copies.push(slot);
        return false;
      }
      others += 1;
    }
    if (others < MAX_ORIGINALS) known.push(own);
    return true;
  }

  /** The slots of the copies that were added after this one. */
  copiesOf(slot: number): readonly number[] {
    return this.#originals.get(this.#keyOf(slot))?.find((original) => original.slot === slot)?.copies ?? [];
  }

  #keyOf(slot: number): number {
    const segment = this.state.segmentOf(slot);
    const tool = this.state.numberOf(slot);
    let keys = nameKeys.get(segment);
    if (!keys) nameKeys.set(segment, (keys = new Float64Array(segment.count)));
    const known = keys[tool] ?? 0;
    return known === 0 ? (keys[tool] = this.#nameKey(segment, tool)) : known;
  }

  /** Adds up the terms of a name that are neither numbers nor words for copies; near-copies have the same sum. From 1. */
  #nameKey({ sequences, sequenceStarts, nameLengths }: Segment, tool: number): number {
    const start = sequenceStarts[tool] ?? 0;
    const end = start + (nameLengths[tool] ?? 0);
    let key = 1;
    for (let i = start; i < end; i++) {
      const id = sequences[i] ?? GAP;
      const term = this.state.lexicon.termOf(id);
      const first = term.charCodeAt(0);
      const isNumber = first >= 48 && first <= 57;
      if (!isNumber && !COPY_STEMS.has(term)) key += Math.imul(id, SPREAD) >>> 0;
    }
    return key;
  }

  #marksOf(original: Original): CopyMarks {
    const { snapshot } = this.state;
    return (original.marks ??= new CopyMarks(snapshot.at(this.state.idOf(original.slot))));
  }
}
