import { isObject } from '@tool-search/core/internal';

/** Members whose values are data, in which null is a value. */
const DATA: ReadonlySet<string> = new Set([
  'data',
  'arguments',
  'input',
  'inputSchema',
  'outputSchema',
  'structuredContent',
  'metadata',
]);
/** Far deeper than anything of the protocol. What is deeper stays as it is. */
const MAX_DEPTH = 16;

/** A part of a message without its members that are null, which count as missing. Data within it stays as it is. */
export function withoutNulls<T>(part: T, depth = 0): T {
  if (typeof part !== 'object' || part === null || depth > MAX_DEPTH) return part;
  if (Array.isArray(part)) return part.map((each: unknown) => withoutNulls(each, depth + 1)) as T;
  if (!isObject(part)) return part;
  const entries = Object.entries(part).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, DATA.has(name) ? value : withoutNulls(value, depth + 1)]),
  ) as T;
}
