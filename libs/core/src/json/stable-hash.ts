import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, circularValue: undefined });

/** SHA-256 (hex) of a JSON value, independent of the order of keys. */
export function stableHash(value: unknown): string {
  return hash('sha256', stringify(value) ?? '');
}

/** A hash as a whole number that JSON carries exactly: its first 48 bits. */
export const hashNumber = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && stableHash(left) === stableHash(right);
}
