import { COPY_WORDS, type CopyMarks, copyMarks, isNearCopy } from '../text/near-copy.js';
import { stem } from '../text/stem.js';
import type { IndexState } from './index-state.js';
import { GAP } from './segment.js';

const COPY_STEMS: ReadonlySet<string> = new Set([...COPY_WORDS].map(stem));

/** Originals of one name that a tool is compared with: a source may bring any number. */
const MAX_ORIGINALS = 8;

interface Original {
  readonly slot: number;
  readonly copies: number[];
  marks?: CopyMarks;
}

/**
 * Gathers the near-copies among the tools of one answer under the one that came first, so that a hundred clones of a tool take
 * the place of one. Only tools whose names have the same terms are compared, which hardly ever happens.
 */
export class Copies {
  readonly #originals = new Map<string, Original[]>();

  constructor(private readonly state: IndexState) {}

  /** Whether the slot is no copy of one that was added before. */
  add(slot: number): boolean {
    const key = this.#keyOf(slot);
    const others = this.#originals.get(key);
    const own: Original = { slot, copies: [] };
    if (!others) {
      this.#originals.set(key, [own]);
      return true;
    }
    const marks = this.#marksOf(own);
    const original = others.find((other) => isNearCopy(marks, this.#marksOf(other)));
    if (original) original.copies.push(slot);
    else if (others.length < MAX_ORIGINALS) others.push(own);
    return original === undefined;
  }

  /** The slots of the copies that were added after this one. */
  copiesOf(slot: number): readonly number[] {
    return this.#originals.get(this.#keyOf(slot))?.find((original) => original.slot === slot)?.copies ?? [];
  }

  /** Adds up the terms of a name that are neither numbers nor words for copies; near-copies have the same sum. */
  #keyOf(slot: number): string {
    const { sequences, sequenceStarts, nameLengths } = this.state.segmentOf(slot);
    const tool = this.state.numberOf(slot);
    const start = sequenceStarts[tool] ?? 0;
    const end = start + (nameLengths[tool] ?? 0);
    let key = 0;
    for (let i = start; i < end; i++) {
      const id = sequences[i] ?? GAP;
      const term = this.state.lexicon.termOf(id);
      const first = term.charCodeAt(0);
      const isNumber = first >= 48 && first <= 57;
      if (!isNumber && !COPY_STEMS.has(term)) key += id;
    }
    // The source stands before anything that has to be read: a description is dear.
    return `${key} ${this.state.snapshot.at(this.state.idOf(slot)).source}`;
  }

  #marksOf(original: Original): CopyMarks {
    const { snapshot } = this.state;
    return (original.marks ??= copyMarks(snapshot.at(this.state.idOf(original.slot))));
  }
}
