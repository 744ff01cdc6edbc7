import { func, object, oneOf, type OptionsOf, whole } from '../../options/options.js';
import type { ToolContext } from '../tool-context.js';

export const cacheRule = object({
  /** How long a result is used again, in milliseconds. */
  ttlMs: whole(1, 86_400_000),
  /**
   * Who shares results: all callers of a tenant, or of all tenants. Only for answers that do not depend on the caller.
   * Results of a tenant's own tool are never shared with another tenant.
   *
   * @default only callers with the same context, except for its `runId`
   */
  shared: oneOf('tenant', 'all').optional(),
  /**
   * A text that becomes part of the key, for contexts with fields of the application: it replaces these fields.
   *
   * @default all fields of the application in the context; none if `shared` is set
   */
  key: func<(context: ToolContext) => string>().optional(),
});

/** The cache of one read tool's results. */
export interface CacheRule extends OptionsOf<typeof cacheRule> {}
