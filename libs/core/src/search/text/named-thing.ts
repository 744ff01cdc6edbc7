import { stem } from './stem.js';
import type { Synonym } from './synonyms/synonyms.js';

// A capital letter within a sentence, or at the start of a quotation.
const NAME = /(?<=[\p{Ll}\p{N},;:)]\s["'(]?)\p{Lu}\p{L}+|["“'](?=\p{Lu})/u;

/** Whether a request contains a proper name ("the cast of Titanic"). */
export function namesThing(text: string): boolean {
  return NAME.test(text);
}

/**
 * Synonyms for a request that contains a proper name. Tools take identifiers, so the name has to be looked up first.
 */
export const NAME_LOOKUPS: readonly Synonym[] = ['search', 'find', 'lookup'].map((word) => ({
  term: stem(word),
  share: 1,
}));
