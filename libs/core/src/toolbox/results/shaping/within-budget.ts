import { countedInPieces } from '../../../tool/counted-in-pieces.js';
import type { TokenCounter } from '../../../tool/token-count.js';

/** Of a dense JSON text; the count of the first attempt corrects it. */
const CHARS_PER_TOKEN = 3;
const ATTEMPTS = 6;
/** A text that uses less of its budget than this is written again, longer. */
const WELL_USED = 0.85;

/** A text that was written in a given room. */
export interface Written {
  readonly text: string;
  /** Nothing was left out, so more room would not make it longer. */
  readonly isWhole: boolean;
}

/**
 * Finds the longest text of at most `budget` tokens, by writing it in different numbers of characters. Yields between
 * short pieces of work.
 *
 * @param write writes the text in about `room` characters
 */
export function* withinBudget<T extends Written>(
  write: (room: number) => T,
  budget: number,
  count: TokenCounter,
): Generator<undefined, T> {
  let best: T | undefined;
  let [low, high] = [0, Infinity];
  let room = budget * CHARS_PER_TOKEN;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const written = write(room);
    yield;
    const tokens = yield* countedInPieces(written.text, count);
    if (tokens <= budget) {
      best = written;
      low = room;
      if (written.isWhole || tokens >= budget * WELL_USED) return written;
    } else {
      high = room;
    }
    const next = Math.floor((room * budget * 0.96) / Math.max(1, tokens));
    room = next > low && next < high ? next : Math.floor((low + Math.min(high, low * 2 + 64)) / 2);
    if (room <= low || room >= high) break;
  }
  // No token of a known tokenizer has less than a third of a character.
  return best ?? write(Math.floor(budget / 3));
}
