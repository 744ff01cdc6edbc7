import { readBlocks } from './content-blocks.js';

/** Lists within each other. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('a block whose text is no text', () => {
  it('is read as JSON up to 64 levels', () => {
    expect(readBlocks([{ type: 'text', text: nested(64) }])).toEqual([
      { type: 'text', text: '['.repeat(64) + ']'.repeat(64) },
    ]);
  });

  it.each([65, 100_000])('is left out at %i levels, and named', (levels) => {
    const blocks = [
      { type: 'text', text: 'paid' },
      { type: 'text', text: nested(levels) },
    ];
    expect(readBlocks(blocks)).toEqual([
      blocks[0],
      { type: 'text', text: '[1 block of this result was left out: a block of text of more than 64 levels]' },
    ]);
  });
});
