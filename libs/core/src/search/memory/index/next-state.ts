import { catalogOrder, type CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import type { TimeSlicer } from '../../../async/time-slicer.js';
import { IndexState } from './index-state.js';
import { Lexicon } from './lexicon.js';
import { matchHashes, matchTools } from '../query/match-tools.js';
import { mergeSegments } from './merge-segments.js';
import type { StoredSegment } from '../persistence/segment-codec.js';
import { EMPTY_SEGMENT, GAP, GONE, rowLength, type Segment } from './segment.js';
import { writeSegment } from './write-segment.js';

const STEP = 2_048;
// If fewer of its tools are still in use, resuming a stored segment costs more than it saves.
const MIN_RESUMED = 1 / 4;

export interface MergeThresholds {
  /** Number of tools that the delta may always have. */
  readonly minDelta: number;
  /** Maximum size of the delta, as a share of the base. */
  readonly deltaShare: number;
  /** Maximum number of removed tools in the base, as a share of it. */
  readonly deadShare: number;
  /** Number of terms, used or not, that the lexicon may always have. */
  readonly minLexicon: number;
}

/** A merge copies the whole index, so it is done only after enough changes to spread its cost over. */
export const DEFAULT_THRESHOLDS: MergeThresholds = {
  minDelta: 256,
  deltaShare: 1 / 8,
  deadShare: 1 / 4,
  minLexicon: 50_000,
};

export async function firstState(snapshot: CatalogSnapshot, slices: TimeSlicer): Promise<IndexState> {
  const lexicon = new Lexicon();
  const base = await writeSegment(snapshot.tools, lexicon, slices);
  return new IndexState(snapshot, lexicon, base, EMPTY_SEGMENT, upTo(base.count), await isSorted(snapshot, slices));
}

/** Indexes a snapshot and reuses every tool of the previous state whose definition has not changed. */
export async function nextState(
  snapshot: CatalogSnapshot,
  previous: IndexState,
  thresholds: MergeThresholds,
  slices: TimeSlicer,
): Promise<IndexState> {
  const kept = await keptAndAdded(snapshot, previous, slices);
  const isInOrder = previous.isSorted && kept.added.every((id) => isPlaced(snapshot, id) && isPlaced(snapshot, id + 1));
  return grownState(snapshot, previous, kept, isInOrder, thresholds, slices);
}

/**
 * Indexes a snapshot and reuses every tool of a stored segment that has the same hash, if that saves enough.
 *
 * @returns `not yet` while too few of its tools are in the snapshot; `needless` if the previous state has them as well
 */
export async function resumedState(
  snapshot: CatalogSnapshot,
  { segment, lexicon, hashes }: StoredSegment,
  previous: IndexState | undefined,
  thresholds: MergeThresholds,
  slices: TimeSlicer,
): Promise<IndexState | 'not yet' | 'needless'> {
  const positions = await matchHashes(snapshot.tools, hashes, slices);
  const kept: KeptTools = { ids: new Int32Array(segment.count).fill(GONE), added: [] };
  for (let id = 0; id < positions.length; id++) {
    const position = positions[id] ?? GONE;
    if (position === GONE) kept.added.push(id);
    else kept.ids[position] = id;
  }
  const known = previous ? livingOf(await matchTools(snapshot.tools, previous.snapshot.tools, slices)) : 0;
  const found = positions.length - kept.added.length;
  if (found <= known) return 2 * found < segment.count ? 'not yet' : 'needless';
  if (found < MIN_RESUMED * segment.count) return 'not yet';
  const isInOrder = await isSorted(snapshot, slices);
  const stored = { lexicon, base: segment, delta: EMPTY_SEGMENT };
  return grownState(snapshot, stored, kept, isInOrder, thresholds, slices);
}

interface KeptTools {
  /** Per slot of the existing index: the tool's id in the snapshot, {@link GONE} if it was removed. */
  readonly ids: Int32Array;
  readonly added: number[];
}

async function grownState(
  snapshot: CatalogSnapshot,
  { lexicon, base, delta }: Pick<IndexState, 'lexicon' | 'base' | 'delta'>,
  { ids, added }: KeptTools,
  isInOrder: boolean,
  thresholds: MergeThresholds,
  slices: TimeSlicer,
): Promise<IndexState> {
  const fresh = await writeSegment(
    added.map((id) => snapshot.at(id)),
    lexicon,
    slices,
  );
  const parts = { base: ids.subarray(0, base.count), delta: ids.subarray(base.count), fresh: Int32Array.from(added) };
  const living = { base: livingOf(parts.base), delta: livingOf(parts.delta) + fresh.count };
  const isMergeDue =
    living.delta > Math.max(thresholds.minDelta, thresholds.deltaShare * base.count) ||
    base.count - living.base > thresholds.deadShare * base.count ||
    isOvergrown(lexicon, base, thresholds.minLexicon);
  if (isMergeDue) {
    const all = [
      { segment: base, numbers: parts.base },
      { segment: delta, numbers: parts.delta },
      { segment: fresh, numbers: parts.fresh },
    ];
    const merged = await mergeSegments(all, snapshot.tools.length, lexicon.size, slices);
    const renewed = await forgetUnusedTerms(merged, lexicon, thresholds.minLexicon, slices);
    return new IndexState(snapshot, renewed.lexicon, renewed.segment, EMPTY_SEGMENT, upTo(merged.count), isInOrder);
  }
  if (fresh.count === 0) return new IndexState(snapshot, lexicon, base, delta, ids, isInOrder);
  const next = await nextDelta(delta, parts.delta, fresh, parts.fresh, lexicon.size, slices);
  const nextIds = new Int32Array(base.count + next.ids.length);
  nextIds.set(parts.base);
  nextIds.set(next.ids, base.count);
  return new IndexState(snapshot, lexicon, base, next.segment, nextIds, isInOrder);
}

async function keptAndAdded(snapshot: CatalogSnapshot, previous: IndexState, slices: TimeSlicer): Promise<KeptTools> {
  const positions = await matchTools(snapshot.tools, previous.snapshot.tools, slices);
  const slots = previous.slotsOfTools();
  const ids = new Int32Array(previous.slots).fill(GONE);
  const added: number[] = [];
  for (let id = 0; id < positions.length; id++) {
    const position = positions[id] ?? GONE;
    if (position === GONE) added.push(id);
    else ids[slots[position] ?? 0] = id;
  }
  return { ids, added };
}

/** Builds a delta from the remaining tools of the old one and the new tools, with the dense id of each. */
async function nextDelta(
  delta: Segment,
  deltaIds: Int32Array,
  fresh: Segment,
  freshIds: Int32Array,
  terms: number,
  slices: TimeSlicer,
): Promise<{ segment: Segment; ids: Int32Array }> {
  const ids = Int32Array.from([...deltaIds.filter((id) => id !== GONE), ...freshIds]).sort();
  if (ids.length === fresh.count) return { segment: fresh, ids };
  const numbers = new Int32Array((ids.at(-1) ?? 0) + 1);
  for (const [number, id] of ids.entries()) numbers[id] = number;
  const numbered = (of: Int32Array): Int32Array => of.map((id) => (id === GONE ? GONE : (numbers[id] ?? GONE)));
  const parts = [
    { segment: delta, numbers: numbered(deltaIds) },
    { segment: fresh, numbers: numbered(freshIds) },
  ];
  return { segment: await mergeSegments(parts, ids.length, terms, slices), ids };
}

async function isSorted(snapshot: CatalogSnapshot, slices: TimeSlicer): Promise<boolean> {
  let sorted = true;
  await slices.each(snapshot.tools.length, STEP, (from, to) => {
    for (let id = from; sorted && id < to; id++) sorted = isPlaced(snapshot, id);
  });
  return sorted;
}

/** Whether a tool follows the previous one in catalog order. */
function isPlaced({ tools }: CatalogSnapshot, id: number): boolean {
  const [before, tool] = [tools[id - 1], tools[id]];
  return !before || !tool || catalogOrder(before, tool) < 0;
}

function upTo(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let number = 0; number < count; number++) numbers[number] = number;
  return numbers;
}

function livingOf(ids: Int32Array): number {
  let living = 0;
  for (const id of ids) if (id !== GONE) living += 1;
  return living;
}

// A lexicon keeps the words of removed tools. Once most of its words are unused, a new lexicon is cheaper.
const MAX_GROWTH = 2;

/** Whether a lexicon has grown so far beyond a base segment that the base should be rebuilt to drop unused terms. */
function isOvergrown(lexicon: Lexicon, { starts }: Segment, minLexicon: number): boolean {
  return lexicon.size > minLexicon && lexicon.size > MAX_GROWTH * starts.length;
}

/** Returns the segment with a smaller lexicon if most terms of the given one occur in no tool; else both unchanged. */
async function forgetUnusedTerms(
  segment: Segment,
  lexicon: Lexicon,
  minLexicon: number,
  slices: TimeSlicer,
): Promise<{ segment: Segment; lexicon: Lexicon }> {
  if (lexicon.size <= minLexicon) return { segment, lexicon };
  let used = 1;
  for (let term = 1; term < lexicon.size; term++) if (rowLength(segment, term) > 0) used += 1;
  if (used * MAX_GROWTH >= lexicon.size) return { segment, lexicon };

  // Terms keep their order, so the postings do not move.
  const smaller = new Lexicon();
  const numbers = new Uint32Array(lexicon.size);
  const starts = new Uint32Array(used + 1);
  await slices.each(lexicon.size, STEP, (from, to) => {
    for (let term = Math.max(1, from); term < to; term++) {
      if (rowLength(segment, term) === 0) continue;
      const number = smaller.add(lexicon.termOf(term));
      numbers[term] = number;
      starts[number + 1] = segment.starts[term + 1] ?? 0;
    }
  });
  const sequences = new Uint32Array(segment.sequences.length);
  await slices.each(sequences.length, 64 * STEP, (from, to) => {
    for (let i = from; i < to; i++) sequences[i] = numbers[segment.sequences[i] ?? GAP] ?? GAP;
  });
  return { segment: { ...segment, starts, sequences }, lexicon: smaller };
}
