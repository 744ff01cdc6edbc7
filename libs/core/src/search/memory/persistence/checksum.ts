import { crc32 } from 'node:zlib';
import type { Slices } from '../../../async/slices.js';

const STEP = 4 * 1024 * 1024;

/** CRC-32 of the bytes from a position on. */
export async function checksum(bytes: Uint8Array, from: number, slices: Slices): Promise<number> {
  let sum = 0;
  await slices.each(bytes.length - from, STEP, (start, end) => {
    sum = crc32(bytes.subarray(from + start, from + end), sum);
  });
  return sum;
}
