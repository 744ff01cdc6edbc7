import { createHash } from 'node:crypto';
import type { SourceKey } from '@tool-search/core/stores';

/** SHA-256 (hex) of a name. JSON escapes distinguish lone surrogates, which UTF-8 cannot encode. */
export function idOf(name: string | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}

/** The id of a registered source. */
export function sourceId({ owner, source }: SourceKey): string {
  return idOf([owner, source]);
}
