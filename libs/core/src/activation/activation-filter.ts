import { z } from 'zod';
import { fits } from '../collections/records.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ActivationScope } from './activation-store.js';

/** Selects activations; all given parts must match. `{}` selects every activation. */
export interface ActivationFilter extends Partial<ActivationScope> {
  /** Canonical name. */
  readonly tool?: string;
}

const MAX_PART = 256;
const part = z.string().max(MAX_PART);
const named = part.min(1);

const activationFilter = z
  .strictObject({
    tenantId: named,
    userId: part,
    scope: z.enum(['run', 'session']),
    scopeId: named,
    tool: named,
  } satisfies Record<keyof ActivationFilter, z.ZodType>)
  .partial()
  // It would select all tenants instead of one.
  .refine((filter) => Object.values(filter).every((each: unknown) => each !== undefined));

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
  if (activationFilter.safeParse(filter).success) return filter;
  const parts = Object.keys(activationFilter.shape).join(', ');
  throw new ToolSearchError('INVALID_REQUEST', 'A filter of activations has a part that means nothing.', {
    hint: `Give any of ${parts} as text, and leave out what does not matter; scope is run or session.`,
  });
}
