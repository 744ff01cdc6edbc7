// The package has no types, and a build that starts elsewhere would not include an ambient declaration.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./wink-porter2-stemmer.d.ts" />
import porter2 from 'wink-porter2-stemmer';
import { RecentMap } from '../../collections/recent-map.js';

// Stemming takes microseconds per word, and a catalog repeats the same words often.
const stems = new RecentMap<string>(10_000);

/** The English stem (Porter 2) of a lower-case word of at least 3 letters a–z; other words are unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = porter2(word);
  stems.set(word, found);
  return found;
}
