import { fits } from '../collections/records.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ActivationScope } from './activation-store.js';

/** Selects activations; all given parts must match. `{}` selects every activation. */
export interface ActivationFilter extends Partial<ActivationScope> {
  /** Canonical name. */
  readonly tool?: string;
}

const PARTS: readonly string[] = [
  'tenantId',
  'userId',
  'scope',
  'scopeId',
  'tool',
] satisfies (keyof ActivationFilter)[];
const MAX_PART = 256;

/** Returns whether an activation passes a filter. */
export function activationMatches(record: Required<ActivationFilter>, filter: ActivationFilter): boolean {
  return fits(record, filter);
}

/**
 * Validates a filter. A part that is present but `undefined` is refused: it would select all tenants instead of one.
 *
 * @throws ToolSearchError `INVALID_REQUEST` for an unknown part, or one that is not a text of at most 256 characters
 */
export function checkedActivationFilter(filter: ActivationFilter): ActivationFilter {
  for (const [part, value] of Object.entries(filter)) {
    const isText = typeof value === 'string' && value.length <= MAX_PART && (value !== '' || part === 'userId');
    const isScope = part !== 'scope' || value === 'run' || value === 'session';
    if (PARTS.includes(part) && isText && isScope) continue;
    throw new ToolSearchError('INVALID_REQUEST', 'A filter of activations has a part that means nothing.', {
      hint: `Give any of ${PARTS.join(', ')} as text, and leave out what does not matter; scope is run or session.`,
    });
  }
  return filter;
}
