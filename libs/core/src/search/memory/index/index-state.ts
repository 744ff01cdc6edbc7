import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { byName } from '../../best-hits.js';
import type { Lexicon, Words } from './lexicon.js';
import { GONE, type Segment } from './segment.js';

/** The searchable state of a snapshot, for all callers. A **slot** is the number of a tool across all segments. */
export interface SearchState {
  readonly snapshot: CatalogSnapshot;
  readonly lexicon: Words;
  /** Each with the slot of its first tool. */
  readonly segments: readonly { readonly segment: Segment; readonly offset: number }[];
  /** Number of slots, including those of removed tools. */
  readonly slots: number;
  /** Whether every slot is a tool of the snapshot, so that no slot has to be skipped. */
  readonly isDense: boolean;
  /** The dense id of the tool in a slot; {@link GONE} if it was removed. */
  idOf(slot: number): number;
  slotOf(id: number): number;
  segmentOf(slot: number): Segment;
  /** The number of the tool in a slot within its segment. */
  numberOf(slot: number): number;
  /** Whether the tool in a slot precedes the tool in another slot by name. */
  isBefore(slot: number, other: number): boolean;
}

/** The state of shared tools: a large base segment, a small delta of later tools, and which of them are still there. */
export class IndexState implements SearchState {
  readonly segments: SearchState['segments'];
  readonly slots: number;
  readonly isDense: boolean;
  readonly #isBefore: (id: number, other: number) => boolean;
  #slots: Int32Array | undefined;

  /**
   * @param ids per slot: the tool's dense id in the snapshot, {@link GONE} for a tool that was removed or changed
   * @param isSorted whether the snapshot's tools are in catalog order; affects only speed
   */
  constructor(
    readonly snapshot: CatalogSnapshot,
    readonly lexicon: Lexicon,
    readonly base: Segment,
    readonly delta: Segment,
    readonly ids: Int32Array,
    readonly isSorted: boolean,
  ) {
    this.slots = ids.length;
    this.isDense = ids.length === snapshot.size;
    this.segments = [
      { segment: base, offset: 0 },
      { segment: delta, offset: base.count },
    ];
    this.#isBefore = byName(snapshot, isSorted);
  }

  idOf(slot: number): number {
    return this.ids[slot] ?? GONE;
  }

  slotOf(id: number): number {
    this.#slots ??= this.slotsOfTools();
    return this.#slots[id] ?? GONE;
  }

  segmentOf(slot: number): Segment {
    return slot < this.base.count ? this.base : this.delta;
  }

  numberOf(slot: number): number {
    return slot < this.base.count ? slot : slot - this.base.count;
  }

  isBefore(slot: number, other: number): boolean {
    return this.#isBefore(this.idOf(slot), this.idOf(other));
  }

  slotsOfTools(): Int32Array {
    const slots = new Int32Array(this.snapshot.size);
    for (let slot = 0; slot < this.slots; slot++) {
      const id = this.idOf(slot);
      if (id !== GONE) slots[id] = slot;
    }
    return slots;
  }
}
