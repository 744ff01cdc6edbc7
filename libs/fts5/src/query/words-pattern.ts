import { queryTerms } from '@tool-search/core/internal';

/** Longer patterns are rejected. */
const MAX_PATTERN_CHARS = 200;

/** Builds a pattern that matches any of a query's words, as many as fit; undefined for a query without words. */
export function wordsPattern(text: string): string | undefined {
  const { words, terms } = queryTerms(text);
  const wanted = words.length > 0 ? words.map(({ word }) => word) : terms.map(({ term }) => term);
  let pattern = '';
  for (const word of wanted) {
    const next = `${pattern === '' ? '' : `${pattern}|`}${word.replace(/[^\p{L}\p{N}\p{M}]/gu, '\\$&')}`;
    if (next.length > MAX_PATTERN_CHARS) break;
    pattern = next;
  }
  return pattern === '' ? undefined : pattern;
}
