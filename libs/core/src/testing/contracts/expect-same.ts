/// <reference types="jest" />
import { isDeepStrictEqual } from 'node:util';

/** `expect(actual).toEqual(expected)` for thousands of iterations, where Jest's own comparison would take most time. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
