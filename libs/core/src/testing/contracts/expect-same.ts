/// <reference types="jest" />
import { isDeepStrictEqual } from 'node:util';

/** `expect(actual).toEqual(expected)` for loops of many thousands: Jest's own takes longer than most of what they check. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
