import type { SearchHit } from '../tool-index.js';

// Below this all tools lie at one place, and the difference is the rounding of a sum.
const MIN_SPREAD = 1e-6;
// A hit found by meaning alone may lie below the mean; it is a hit all the same.
const MIN_SCORE = 1e-6;

/**
 * A cosine on the scale of one search: 0 for the mean of the visible tools and below, 1 for the best of them; NaN stays NaN.
 * From the mean and not from 0, because many models give any two texts a cosine of .7.
 */
export function closeness(cosine: number, { mean, max }: { readonly mean: number; readonly max: number }): number {
  if (Number.isNaN(cosine) || max - mean >= MIN_SPREAD) return Math.max(0, (cosine - mean) / (max - mean));
  return cosine > 0 ? 1 : 0;
}

/**
 * A hit with the mixed score `(1 - weight) * words + weight * top * closeness` (a convex combination, on the scale of the
 * words' scores). A tool without a vector keeps the score its words give it.
 *
 * @param hit with the score by words, 0 if they say nothing
 * @param top the best score by words of any visible tool
 * @param close from {@link closeness}
 */
export function fuse(hit: SearchHit, top: number, close: number, weight: number): SearchHit {
  if (Number.isNaN(close)) return hit;
  const meaning = Math.max(weight * top * close, hit.score === 0 ? MIN_SCORE : 0);
  const score = (1 - weight) * hit.score + meaning;
  if (!hit.parts) return { ...hit, score };
  const parts = hit.parts.map((part) => ({ ...part, score: (1 - weight) * part.score }));
  return { ...hit, score, parts: [...parts, { field: 'meaning', score: meaning }].sort((a, b) => b.score - a.score) };
}
