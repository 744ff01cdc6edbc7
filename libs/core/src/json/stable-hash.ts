import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, circularValue: undefined });

/** SHA-256 (hex) of a JSON value. The order of keys does not matter. */
export function stableHash(value: unknown): string {
  return hash('sha256', stringify(value) ?? '');
}

/** The first 48 bits of a hash as an integer that JSON carries exactly. */
export const hashNumber = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);

/** Whether two JSON values are equal. The order of keys does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && stableHash(left) === stableHash(right);
}
