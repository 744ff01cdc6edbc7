import { hasControlCharacters } from '@tool-search/core';

/** Returns the dotted path of the first text in a JSON value that contains a control character or a lone surrogate. */
export function unsafeText(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return hasControlCharacters(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (hasControlCharacters(key)) return `a key of ${place || 'it'}`;
    const found = unsafeText(child, place === '' ? key : `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
