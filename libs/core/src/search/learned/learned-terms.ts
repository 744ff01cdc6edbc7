import { tokenize } from '../text/tokenize.js';

/** A learned query after text analysis. */
export interface LearnedTerms {
  /** Terms as spelled by the query analysis, repeated as in the query, without function words. */
  readonly terms: readonly string[];
  /** Number of words; a term that joins several words does not count. */
  readonly length: number;
}

export function learnedTerms(query: string): LearnedTerms {
  const terms: string[] = [];
  let length = 0;
  for (const { content, whole } of tokenize(query)) {
    for (const { term } of content) terms.push(term);
    if (whole !== undefined) terms.push(whole);
    length += content.length;
  }
  return { terms, length };
}
