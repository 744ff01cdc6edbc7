import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, circularValue: undefined });

/** The JSON text of a value with sorted keys: the same for equal values. */
export function stableJson(value: unknown): string {
  return stringify(value) ?? '';
}

/** SHA-256 (hex) of a JSON value. The order of keys does not matter. */
export function stableHash(value: unknown): string {
  return hashOfText(stableJson(value));
}

/** SHA-256 (hex) of a text. */
export function hashOfText(text: string): string {
  return hash('sha256', text);
}

/** The first 48 bits of a hash as an integer that JSON carries exactly. */
export const hashNumber = (hash: string): number => Number.parseInt(hash.slice(0, 12), 16);

/** Whether two JSON values are equal. The order of keys does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && stableHash(left) === stableHash(right);
}
