import { tokenize } from './tokenize.js';

/** The search terms of one text. */
export interface FieldTerms {
  /** Terms of its words, in order; function words only if there are no other words. */
  readonly words: readonly string[];
  /** Identifiers of several words, each joined into one term, so that other spellings match it. */
  readonly wholes: readonly string[];
}

/** Maximum number of words of one field that are indexed; a run of words that passes it is still complete. */
export const MAX_FIELD_WORDS = 2_000;

/** The terms by which a tool is found through one field of its text. Words after about 2,000 are ignored. */
export function fieldTerms(text: string): FieldTerms {
  const words: string[] = [];
  const wholes: string[] = [];
  const runs = tokenize(text);
  // A text with only function words ("who", "is it up") can only be found by these.
  const isEmpty = runs.every((run) => run.content.length === 0);
  for (const run of runs) {
    if (words.length >= MAX_FIELD_WORDS) break;
    for (const part of isEmpty ? run.parts : run.content) words.push(part.term);
    if (run.whole !== undefined && (isEmpty || run.content.length > 0)) wholes.push(run.whole);
  }
  return { words, wholes };
}
