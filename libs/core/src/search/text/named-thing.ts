import { stem } from './stem.js';
import type { Synonym } from './synonyms/synonyms.js';

// A capital within a sentence, or at the beginning of a quotation.
const NAME = /(?<=[\p{Ll}\p{N},;:)]\s["'(]?)\p{Lu}\p{L}+|["“'](?=\p{Lu})/u;

/** Whether a request calls something by its proper name ("the cast of Titanic"). */
export function namesThing(text: string): boolean {
  return NAME.test(text);
}

/** What has to be done first with a thing of which only the name is known: tools take identifiers. */
export const NAME_LOOKUPS: readonly Synonym[] = ['search', 'find', 'lookup'].map((word) => ({
  term: stem(word),
  share: 1,
}));
