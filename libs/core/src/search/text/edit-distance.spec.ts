import fc from 'fast-check';
import { editDistance } from './edit-distance.js';

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
