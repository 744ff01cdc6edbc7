import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { stem } from '../../text/stem.js';
import type { SearchState } from './index-state.js';
import { GAP, type Segment } from './segment.js';
import { localName } from '../../text/tool-text.js';

const COPY_WORDS: ReadonlySet<string> = new Set(
  'copy clone duplicate variant version replica mirror backup'.split(' '),
);
const COPY_STEMS: ReadonlySet<string> = new Set([...COPY_WORDS].map(stem));
/** Maximum number of originals per name that a tool is compared with: a source may have any number of them. */
const MAX_ORIGINALS = 8;
/** Above the sum of 32 numbers of 32 bits. */
const SOURCE_UNIT = 2 ** 37;
/** Marks a key whose slots are grouped by name. */
const NAMED = -1;

// Per segment and tool: the key of the tool's name, 0 until computed. It is derived from term numbers, which belong to
// the segment's lexicon.
const nameKeys = new WeakMap<Segment, Float64Array>();

// Cached per tool, because reading the long descriptions of hundreds of similar tools takes longer than the rest of a
// search.
const marksOf = new WeakMap<ToolDefinition, CopyMarks>();

interface Original {
  readonly slot: number;
  readonly copies: number[];
  readonly marks: CopyMarks;
}

/**
 * Groups the near-copies among the tools of one answer under the first one added, so that a hundred clones of a tool
 * take the place of one. Only tools with the same source and name are compared. Names are compared only where keys are
 * equal, which is rare; an accidental equality of keys changes nothing.
 */
export class NearDuplicates {
  // By key of source and name: the first slot, or {@link NAMED} after a second one.
  readonly #firsts = new Map<number, number>();
  readonly #sources = new Map<string, number>();
  // By name and source, for keys that occurred at least twice.
  readonly #originals = new Map<string, Original[]>();

  constructor(private readonly state: SearchState) {}

  /** Adds a slot. Returns false if it is a copy of one that was added before. */
  add(slot: number): boolean {
    const key = this.#keyOf(slot);
    const first = this.#firsts.get(key);
    if (first === undefined) {
      this.#firsts.set(key, slot);
      return true;
    }
    if (first !== NAMED) {
      this.#addNamed(first);
      this.#firsts.set(key, NAMED);
    }
    return this.#addNamed(slot);
  }

  copiesOf(slot: number): readonly number[] {
    if (this.#firsts.get(this.#keyOf(slot)) !== NAMED) return [];
    const others = this.#originals.get(groupOf(this.#marksOf(slot))) ?? [];
    return others.find((original) => original.slot === slot)?.copies ?? [];
  }

  #addNamed(slot: number): boolean {
    const marks = this.#marksOf(slot);
    const group = groupOf(marks);
    const others = this.#originals.get(group);
    if (!others) {
      this.#originals.set(group, [{ slot, marks, copies: [] }]);
      return true;
    }
    const original = others.find((other) => isNearCopy(marks, other.marks));
    if (original) original.copies.push(slot);
    else if (others.length < MAX_ORIGINALS) others.push({ slot, marks, copies: [] });
    return original === undefined;
  }

  #keyOf(slot: number): number {
    const { source } = this.state.snapshot.at(this.state.idOf(slot));
    let number = this.#sources.get(source);
    if (number === undefined) this.#sources.set(source, (number = this.#sources.size));
    return number * SOURCE_UNIT + this.#nameKeyOf(slot);
  }

  #nameKeyOf(slot: number): number {
    const segment = this.state.segmentOf(slot);
    const tool = this.state.numberOf(slot);
    let keys = nameKeys.get(segment);
    if (!keys) nameKeys.set(segment, (keys = new Float64Array(segment.count)));
    const known = keys[tool] ?? 0;
    return known === 0 ? (keys[tool] = this.#nameKey(segment, tool)) : known;
  }

  /** Sums the terms of a name that are neither numbers nor copy words, from 1; near-copies have the same sum. */
  #nameKey({ sequences, sequenceStarts, nameLengths }: Segment, tool: number): number {
    const start = sequenceStarts[tool] ?? 0;
    const end = start + (nameLengths[tool] ?? 0);
    let key = 1;
    for (let i = start; i < end; i++) {
      const id = sequences[i] ?? GAP;
      const term = this.state.lexicon.termOf(id);
      const first = term.charCodeAt(0);
      const isNumber = first >= 48 && first <= 57;
      if (!isNumber && !COPY_STEMS.has(term)) key += mixed(id);
    }
    return key;
  }

  #marksOf(slot: number): CopyMarks {
    const tool = this.state.snapshot.at(this.state.idOf(slot));
    let marks = marksOf.get(tool);
    if (!marks) marksOf.set(tool, (marks = new CopyMarks(tool)));
    return marks;
  }
}

function groupOf({ name, source }: CopyMarks): string {
  return `${name}\n${source}`;
}

/** Spreads numbers over 32 bits, so that small sums rarely collide (the finalizer of MurmurHash3, Austin Appleby). */
function mixed(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// A number, with single letters attached to it: all of `v2` and `a1b2`, the `2` of `email2`.
const NUMBER = /(?<!\p{L})\p{L}?\p{N}+(?:\p{L}?\p{N}+)*(?:\p{L}(?!\p{L}))?|\p{N}+/gu;
const WORD = /\p{L}+/gu;
const MIN_SIMILARITY = 0.8;
const MAX_COMPARED_CHARS = 500;

export class CopyMarks {
  /** The words of the tool's name, without numbers and copy words. */
  readonly name: string;
  #words: ReadonlySet<string> | undefined;

  constructor(private readonly tool: ToolDefinition) {
    this.name = wordsOf(localName(tool)).join(' ');
  }

  get source(): string {
    return this.tool.source;
  }

  /** The distinct words of the description, without numbers and copy words; computed on first use. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(wordsOf(this.tool.description.slice(0, MAX_COMPARED_CHARS)));
    return this.#words;
  }
}

/**
 * Whether two tools of one source are near-copies: their names differ only in numbers and words like "copy", and their
 * descriptions share at least 80 % of their distinct words. Siblings (`get_user`, `get_users`) are not copies: every
 * other word of a name counts.
 */
export function isNearCopy(a: CopyMarks, b: CopyMarks): boolean {
  if (a.source !== b.source || a.name !== b.name) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared += 1;
  const all = a.words.size + b.words.size - shared;
  return all === 0 || shared / all >= MIN_SIMILARITY;
}

function wordsOf(text: string): string[] {
  const words = text.replace(NUMBER, ' ').toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !COPY_WORDS.has(word));
}
