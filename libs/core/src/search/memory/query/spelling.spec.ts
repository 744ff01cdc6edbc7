import fc from 'fast-check';
import { TimeSlicer } from '../../../async/time-slicer.js';
import { editDistance, Spelling } from './spelling.js';
import { Lexicon } from '../index/lexicon.js';

const lexiconOf = (words: readonly string[]): Lexicon => {
  const lexicon = new Lexicon();
  for (const word of words) lexicon.add(word);
  return lexicon;
};

const permutations = (letters: string): string[] =>
  letters === ''
    ? ['']
    : Array.from(letters).flatMap((letter) => permutations(letters.replace(letter, '')).map((rest) => letter + rest));

describe('Spelling', () => {
  const words = [
    'calendar',
    'calend',
    'invoic',
    'invok',
    'messag',
    'massag',
    'list',
    'lost',
    'rout',
    '1nvoice',
    'ab',
    'notificat',
  ];
  const lexicon = lexiconOf(words);
  const correct = (word: string, rarities: Readonly<Record<string, number | undefined>> = {}) =>
    new Spelling(lexicon)
      .correctionsOf(word, (id) => {
        const term = lexicon.termOf(id);
        return term in rarities ? rarities[term] : 1;
      })
      .map((id) => lexicon.termOf(id));

  it('finds a word with a letter too many, too few, wrong or in the wrong place', () => {
    expect(correct('invoicc')).toEqual(['invoic']);
    expect(correct('nvoic')).toEqual([]);
    expect(correct('invoi')).toEqual(['invoic', 'invok']);
    expect(correct('imvoic')).toEqual(['invoic']);
    expect(correct('nivoic')).toEqual(['invoic']);
    expect(correct('mesasg')).toEqual(['messag']);
  });

  it('allows two letters from nine letters on', () => {
    expect(correct('kalendar')).toEqual([]);
    expect(correct('kalendra')).toEqual([]);
    expect(correct('ntoificta')).toEqual(['notificat']);
    expect(correct('lits')).toEqual(['list']);
    expect(correct('ruot')).toEqual(['rout']);
    expect(correct('invxyc')).toEqual([]);
  });

  it('gives the nearest words only, the most frequent first', () => {
    expect(correct('lest', { list: 5, lost: 2 })).toEqual(['lost', 'list']);
    expect(correct('missag', { messag: 2, massag: 5 })).toEqual(['messag', 'massag']);
  });

  it('does not know a word that no visible tool has', () => {
    expect(correct('invoicc', { invoic: undefined })).toEqual([]);
    expect(correct('lest', { lost: undefined })).toEqual(['list']);
  });

  it('leaves short words and words with digits alone', () => {
    expect(correct('lis')).toEqual([]);
    expect(correct('1nvoic')).toEqual([]);
  });

  it('learns the words that the lexicon learns', async () => {
    const growing = lexiconOf(['list']);
    const spelling = new Spelling(growing);
    await spelling.catchUp(new TimeSlicer(1));
    growing.add('refund');
    expect(spelling.correctionsOf('refnud', () => 1)).toEqual([growing.find('refund')]);
  });

  it('takes bounded time for thousands of anagrams, and does not depend on hidden tools', () => {
    const anagrams = permutations('abdefghk').map((rest) => `c${rest}`);
    expect(anagrams.length).toBeGreaterThan(8_000);
    const full = lexiconOf([...anagrams, 'cabdefghi']);
    const visible = new Set(['cabdefghi', ...anagrams.slice(100, 200)]);
    const alone = lexiconOf([...visible]);
    const foundIn = (lexicon: Lexicon, isVisible: (term: string) => boolean) =>
      new Spelling(lexicon)
        .correctionsOf('cabdefghj', (id) => (isVisible(lexicon.termOf(id)) ? 1 : undefined))
        .map((id) => lexicon.termOf(id));
    expect(foundIn(full, (term) => visible.has(term))).toEqual(foundIn(alone, () => true));
    expect(foundIn(alone, () => true)).toEqual(['cabdefghi']);
    expect(foundIn(full, () => true)).toEqual([]);
  });

  it('finds what a look at every word would find', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 11 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, (vocabulary, misspelt) => {
        const all = lexiconOf(vocabulary);
        const found = new Spelling(all).correctionsOf(misspelt, () => 1).map((id) => all.termOf(id));
        const max = misspelt.length < 4 ? -1 : misspelt.length < 9 ? 1 : 2;
        const near = vocabulary
          .filter((one) => one[0] === misspelt[0] || (one[0] === misspelt[1] && one[1] === misspelt[0]))
          .map((one) => ({ one, distance: editDistance(misspelt, one, 9) }))
          .filter(({ distance }) => distance <= max);
        const least = Math.min(...near.map(({ distance }) => distance));
        const expected = near.filter(({ distance }) => distance === least).map(({ one }) => one);
        expect(found).toEqual(expected.sort().slice(0, 3));
      }),
    );
  });
});

/** Textbook algorithm: computes every cell of the table. */
function byTable(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i + j));
  const at = (i: number, j: number): number => table[i]![j]!;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push(at(i - 2, j - 2) + 1);
      table[i]![j] = Math.min(...ways);
    }
  }
  return at(a.length, b.length);
}

describe('editDistance', () => {
  it.each([
    ['message', 'message', 0],
    ['mesage', 'message', 1],
    ['messsage', 'message', 1],
    ['massage', 'message', 1],
    ['emssage', 'message', 1],
    ['mesasge', 'message', 1],
    ['msgae', 'message', 3],
    ['', 'abc', 3],
  ])('takes from %j to %j %i steps', (a, b, steps) => {
    expect(editDistance(a, b, 9)).toBe(steps);
  });

  it('is what the whole table says', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(word, word, (a, b) => expect(editDistance(a, b, 9)).toBe(byTable(a, b))),
      { numRuns: 500 },
    );
  });

  it('stops counting above the bound, and is the same both ways', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.nat(3), (a, b, max) => {
        const distance = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(distance);
        expect(editDistance(a, b, max)).toBe(Math.min(distance, max + 1));
      }),
    );
  });
});
