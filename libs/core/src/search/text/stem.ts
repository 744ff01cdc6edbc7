// The package has no types; an ambient declaration is not part of a build that starts from elsewhere.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./wink-porter2-stemmer.d.ts" />
import porter2 from 'wink-porter2-stemmer';
import { RecentMap } from '../../collections/recent-map.js';

// A stem costs microseconds and a catalog repeats few words often.
const stems = new RecentMap<string, string>(10_000);

/** The English stem (Porter 2) of a lower-case word; words of other scripts and mixed ones come back as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = porter2(word);
  stems.set(word, found);
  return found;
}
