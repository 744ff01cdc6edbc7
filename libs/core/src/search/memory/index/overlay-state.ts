import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { byName } from '../../best-hits.js';
import type { TimeSlicer } from '../../../async/time-slicer.js';
import type { IndexState, SearchState } from './index-state.js';
import { Lexicon, type Words } from './lexicon.js';
import { GAP, type Segment } from './segment.js';
import { writeSegment } from './write-segment.js';
import { corrections } from '../query/spelling.js';

/** The state of the shared tools with one more segment: the own tools of a tenant or a request. */
export class OverlayState implements SearchState {
  readonly segments: SearchState['segments'];
  readonly slots: number;
  readonly isDense: boolean;
  readonly #isBefore: (id: number, other: number) => boolean;

  constructor(
    readonly snapshot: CatalogSnapshot,
    readonly lexicon: Words,
    private readonly below: IndexState,
    private readonly own: Segment,
  ) {
    this.slots = below.slots + own.count;
    this.isDense = below.isDense;
    this.segments = [...below.segments, { segment: own, offset: below.slots }];
    // Own tools without an owner follow the shared ones and are not sorted among them.
    this.#isBefore = byName(snapshot, below.isSorted && snapshot.own[0]?.owner !== '');
  }

  idOf(slot: number): number {
    return slot < this.below.slots ? this.below.idOf(slot) : slot - this.below.slots + this.below.snapshot.size;
  }

  slotOf(id: number): number {
    const { slots, snapshot } = this.below;
    return id < snapshot.size ? this.below.slotOf(id) : id - snapshot.size + slots;
  }

  segmentOf(slot: number): Segment {
    return slot < this.below.slots ? this.below.segmentOf(slot) : this.own;
  }

  numberOf(slot: number): number {
    return slot < this.below.slots ? this.below.numberOf(slot) : slot - this.below.slots;
  }

  isBefore(slot: number, other: number): boolean {
    return this.#isBefore(this.idOf(slot), this.idOf(other));
  }
}

/** Indexes the tools that a snapshot adds to the one below, which stays unchanged. */
export async function overlayState(
  snapshot: CatalogSnapshot,
  below: IndexState,
  slices: TimeSlicer,
): Promise<OverlayState> {
  const lexicon = new Lexicon();
  const written = await writeSegment(snapshot.own, lexicon, slices);
  const words = new OverlayWords(below.lexicon, lexicon);
  const numbers = Uint32Array.from({ length: lexicon.size }, (_, own) => (own === GAP ? GAP : words.numberOf(own)));
  const rows = new Map<number, number>();
  for (let own = 1; own < numbers.length; own++) rows.set(numbers[own] ?? GAP, own);
  const sequences = written.sequences.map((own) => numbers[own] ?? GAP);
  return new OverlayState(snapshot, words, below, { ...written, rows, sequences });
}

/**
 * The words of the shared tools, followed by those that only the own tools of a tenant or a request have. The own words
 * are never added to the shared lexicon, and words added to the shared lexicon later are not visible here.
 */
class OverlayWords implements Words {
  readonly size: number;
  readonly spelling: Words['spelling'];
  readonly #first: number;

  constructor(
    private readonly shared: Lexicon,
    private readonly own: Lexicon,
  ) {
    this.#first = shared.size;
    this.size = shared.size + own.size;
    this.spelling = {
      correctionsOf: (word, rarityOf) => corrections(word, this, (distance) => this.#near(word, distance), rarityOf),
    };
  }

  find(term: string): number | undefined {
    const known = this.shared.find(term);
    if (known !== undefined && known < this.#first) return known;
    const own = this.own.find(term);
    return own === undefined ? undefined : this.#first + own;
  }

  termOf(id: number): string {
    return id < this.#first ? this.shared.termOf(id) : this.own.termOf(id - this.#first);
  }

  numberOf(own: number): number {
    return this.find(this.own.termOf(own)) ?? this.#first + own;
  }

  #near(word: string, distance: number): readonly number[] {
    const shared = this.shared.spelling.near(word, distance).filter((id) => id < this.#first);
    const own = this.own.spelling.near(word, distance).map((id) => this.numberOf(id));
    return [...shared, ...own.filter((id) => id >= this.#first)];
  }
}
