import { crc32 } from 'node:zlib';
import type { TimeSlicer } from '../../../async/time-slicer.js';

const STEP = 4 * 1024 * 1024;

/** CRC-32 of the bytes from a position on. */
export async function checksum(bytes: Uint8Array, from: number, slices: TimeSlicer): Promise<number> {
  let sum = 0;
  await slices.each(bytes.length - from, STEP, (start, end) => {
    sum = crc32(bytes.subarray(from + start, from + end), sum);
  });
  return sum;
}
