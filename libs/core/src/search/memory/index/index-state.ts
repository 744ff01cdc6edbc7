import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { byName } from '../../by-name.js';
import type { Lexicon, Words } from './lexicon.js';
import { GONE, type Segment } from './segment.js';

/**
 * What a search reads of one snapshot: segments, one after the other. A **slot** numbers the tools of all of them. Nothing in it
 * depends on a view.
 */
export interface SearchState {
  readonly snapshot: CatalogSnapshot;
  readonly lexicon: Words;
  /** With the slot of each one's first tool. */
  readonly segments: readonly { readonly segment: Segment; readonly offset: number }[];
  /** How many slots there are, dead ones among them. */
  readonly slots: number;
  /** Whether every slot is a tool of the snapshot, so that nothing has to be left out. */
  readonly isDense: boolean;
  /** The dense id of the tool in a slot, {@link GONE} if it has left. */
  idOf(slot: number): number;
  /** The slot of the tool with a dense id. */
  slotOf(id: number): number;
  /** The segment that a slot belongs to. */
  segmentOf(slot: number): Segment;
  /** The number of the tool in a slot within its segment. */
  numberOf(slot: number): number;
  /** Whether the tool in a slot comes before that in another one by name. */
  isBefore(slot: number, other: number): boolean;
}

/**
 * Everything the ranking knows about the tools of one snapshot: a large base segment, a small delta of what came later, and
 * which of their tools are still in the catalog.
 */
export class IndexState implements SearchState {
  readonly segments: SearchState['segments'];
  readonly slots: number;
  readonly isDense: boolean;
  readonly #isBefore: (id: number, other: number) => boolean;
  #slots: Int32Array | undefined;

  /**
   * @param ids per slot: the tool's dense id in the snapshot, {@link GONE} for a tool that left it or has changed
   * @param isSorted whether the snapshot's tools really are in the catalog's order; nothing but speed depends on it
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

  /** The slot of each dense id. */
  slotsOfTools(): Int32Array {
    const slots = new Int32Array(this.snapshot.size);
    for (let slot = 0; slot < this.slots; slot++) {
      const id = this.idOf(slot);
      if (id !== GONE) slots[id] = slot;
    }
    return slots;
  }
}
