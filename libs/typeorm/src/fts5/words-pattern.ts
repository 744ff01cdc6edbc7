import { queryTerms } from '@tool-search/core';

/** Characters a pattern may have; longer ones are refused. */
const MAX_PATTERN_CHARS = 200;

/** A pattern for any of a query's words, as many of them as it has room for; undefined for a query without words. */
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
