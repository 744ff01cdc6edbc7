import fc from 'fast-check';
import { editDistance } from './edit-distance.js';

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
