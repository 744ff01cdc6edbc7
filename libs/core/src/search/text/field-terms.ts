import { tokenize } from './tokenize.js';

/** The terms of one text. */
export interface FieldTerms {
  /** Terms of its words in order, without function words unless there are no others. */
  readonly words: readonly string[];
  /** Identifiers of several words, joined into one term, so that other spellings of them meet it. */
  readonly wholes: readonly string[];
}

/** Words of one field that are looked at. */
export const MAX_FIELD_WORDS = 2_000;

/** The terms by which a tool is found through one field of its text; the words after about 2,000 are left out. */
export function fieldTerms(text: string): FieldTerms {
  const words: string[] = [];
  const wholes: string[] = [];
  const runs = tokenize(text);
  // Of a text of nothing but function words ("who", "is it up") those are all there is to find it by.
  const isEmpty = runs.every((run) => run.content.length === 0);
  for (const run of runs) {
    if (words.length >= MAX_FIELD_WORDS) break;
    for (const part of isEmpty ? run.parts : run.content) words.push(part.term);
    if (run.whole !== undefined && (isEmpty || run.content.length > 0)) wholes.push(run.whole);
  }
  return { words, wholes };
}
