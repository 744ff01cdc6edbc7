import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { byName } from '../../by-name.js';
import type { TimeSlicer } from '../../../async/time-slicer.js';
import type { IndexState, SearchState } from './index-state.js';
import { Lexicon, type Words } from './lexicon.js';
import { OverlayWords } from './overlay-words.js';
import { GAP, type Segment } from './segment.js';
import { writeSegment } from './write-segment.js';

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
