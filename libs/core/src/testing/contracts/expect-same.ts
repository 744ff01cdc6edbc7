/// <reference types="jest" />
import { isDeepStrictEqual } from 'node:util';

/**
 * `expect(actual).toEqual(expected)` for thousands of iterations: Jest's own comparison dominates the time of such
 * loops.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
