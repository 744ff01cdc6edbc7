import type { TimeSlicer } from '../../../async/time-slicer.js';
import { Lexicon } from './lexicon.js';
import { GAP, rowLength, type Segment } from './segment.js';

// A lexicon keeps the words of removed tools. Once most of its words are unused, a new lexicon is cheaper.
const MAX_GROWTH = 2;
const STEP = 4_096;

/** Whether a lexicon has grown so far beyond a base segment that the base should be rebuilt to drop unused terms. */
export function isOvergrown(lexicon: Lexicon, { starts }: Segment, minLexicon: number): boolean {
  return lexicon.size > minLexicon && lexicon.size > MAX_GROWTH * starts.length;
}

/** Returns the segment with a smaller lexicon if most terms of the given one occur in no tool; else both unchanged. */
export async function forgetUnusedTerms(
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
