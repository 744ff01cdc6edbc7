import { TimeSlicer } from '../../../async/time-slicer.js';
import { GrowingArray } from './write-segment.js';

describe('GrowingArray', () => {
  it.each([0, 1, 8_191, 8_192, 8_193, 50_000])('gives back %i numbers in order', async (count) => {
    const array = new GrowingArray();
    for (let i = 0; i < count; i++) array.push(i * 3);
    expect(array.length).toBe(count);
    expect(await array.toArray(new TimeSlicer(1_000))).toEqual(Uint32Array.from({ length: count }, (_, i) => i * 3));
  });
});
