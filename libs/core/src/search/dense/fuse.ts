import type { SearchHit } from '../tool-index.js';

// With a smaller spread all tools have the same cosine, except for rounding.
const MIN_SPREAD = 1e-6;
// A hit found by meaning alone may lie below the mean, but its score must be above 0.
const MIN_SCORE = 1e-6;

/**
 * Scales a cosine to one search: 0 for the mean of the visible tools and below, 1 for the best of them; NaN stays NaN.
 * The scale starts at the mean and not at 0, because many models give any two texts a cosine of 0.7.
 */
export function closeness(cosine: number, { mean, max }: { readonly mean: number; readonly max: number }): number {
  if (Number.isNaN(cosine) || max - mean >= MIN_SPREAD) return Math.max(0, (cosine - mean) / (max - mean));
  return cosine > 0 ? 1 : 0;
}

/**
 * Returns the hit with the mixed score `(1 - weight) * words + weight * top * closeness`, a convex combination on the
 * scale of the word scores. A tool without a vector keeps its word score.
 *
 * @param hit with its word score, 0 if no word matches
 * @param top the best word score of any visible tool
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
