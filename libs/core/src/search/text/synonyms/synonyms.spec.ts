import { beginsPhrase, MAX_PHRASE, synonymsOf } from './synonyms.js';
import { SYNONYM_GROUPS } from './synonym-groups.js';
import { tokenize } from '../tokenize.js';

const stemsOf = (text: string) => tokenize(text).flatMap((run) => run.parts.map((part) => part.term));
const sharesFor = (text: string) =>
  Object.fromEntries(synonymsOf(stemsOf(text).join(' ')).map(({ term, share }) => [term, share]));

/** All words and phrases that have synonyms. */
const entries = SYNONYM_GROUPS.flatMap(({ groups }) =>
  groups.split(';').flatMap((group) => (group.split('>')[0] ?? '').split(',').map((entry) => entry.trim())),
);

describe('synonymsOf', () => {
  it('finds synonyms of every inflected form', () => {
    for (const text of ['delete', 'Deleting', 'deleted']) expect(sharesFor(text)).toHaveProperty('remov');
    expect(sharesFor('removes')).toHaveProperty('delet');
    expect(synonymsOf('unicorn')).toEqual([]);
  });

  it('lets each meaningful word of a phrase stand for it', () => {
    expect(Object.keys(sharesFor('PR'))).toEqual(expect.arrayContaining(['pull', 'request']));
    expect(sharesFor('login')).not.toHaveProperty('log');
  });

  it('finds phrases, also those of function words only', () => {
    expect(sharesFor('log in')).toHaveProperty('login');
    expect(sharesFor('how much')).toHaveProperty('price');
  });

  it('keeps to the direction of an arrow', () => {
    expect(sharesFor('euro')).toHaveProperty('currenc');
    expect(sharesFor('currency')).not.toHaveProperty('euro');
  });

  it('never gives a word for itself, and shares from 0 to 1', () => {
    for (const entry of entries) {
      const stems = stemsOf(entry);
      for (const { term, share } of synonymsOf(stems.join(' '))) {
        expect(stems).not.toContain(term);
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThanOrEqual(1);
      }
    }
  });

  it('finds every phrase of the table by its first word, within the length that is looked at', () => {
    for (const entry of entries.map(stemsOf).filter((stems) => stems.length > 1)) {
      expect(beginsPhrase(entry[0] ?? '')).toBe(true);
      expect(entry.length).toBeLessThanOrEqual(MAX_PHRASE);
    }
  });
});
