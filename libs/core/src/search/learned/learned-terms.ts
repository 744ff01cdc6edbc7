import { tokenize } from '../text/tokenize.js';

/** A learned query as it counts: analyzed once, then only added up. */
export interface LearnedTerms {
  /** As the query analysis spells them, each as often as the query has it; no function words. */
  readonly terms: readonly string[];
  /** How many words these are; a term that joins several is none of its own. */
  readonly length: number;
}

/** Analyzes a learned query. */
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
