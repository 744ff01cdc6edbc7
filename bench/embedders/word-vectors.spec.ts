import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWordVectors } from './word-vectors.js';

describe('readWordVectors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'word-vectors-'));
  const file = join(folder, 'vectors.json');
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (content: unknown) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readWordVectors(file);
  };
  const good = { dimensions: 2, words: ['the', 'constructor'], vectors: { constructor: [3, 4], the: [1, 2, 9, 0] } };

  it("reads words by frequency, without a row's own numbers", () => {
    const { dimensions, vectors } = read({ precision: 8, ...good });
    expect(dimensions).toBe(2);
    expect([...vectors]).toEqual([
      ['the', Float32Array.of(1, 2)],
      ['constructor', Float32Array.of(3, 4)],
    ]);
  });

  it.each([
    ['no JSON', '{', 'it is no JSON'],
    ['no object', [], 'expected object'],
    ['no dimensions', { ...good, dimensions: 0 }, 'dimensions'],
    ['too many dimensions', { ...good, dimensions: 5_000 }, 'dimensions'],
    ['no words', { ...good, words: [] }, 'words'],
    ['a row of text', { ...good, vectors: { ...good.vectors, the: ['1', '2'] } }, 'vectors.the: no list of numbers'],
    ['a number that is none', { ...good, vectors: { ...good.vectors, the: [1, null] } }, 'vectors.the'],
    ['a short row', { ...good, dimensions: 3 }, 'has not 3 numbers for "constructor"'],
    ['a word without a row', { ...good, words: ['toString'] }, 'has not 2 numbers for "toString"'],
  ])('refuses %s', (_, content, reason) => {
    expect(() => read(content)).toThrow(reason);
    expect(() => read(content)).toThrow(file);
  });

  it('refuses a file that is too large, unread', () => {
    writeFileSync(file, '');
    truncateSync(file, 400_000_001);
    expect(() => readWordVectors(file)).toThrow('more than 400000000');
  });
});
