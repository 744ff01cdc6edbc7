import type { InjectableOptions, Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';
import { ProviderMark } from './provider-mark.js';

/** The mark of visibility policies. */
export const VISIBILITY_POLICY = new ProviderMark<ToolVisibilityPolicy>(
  Symbol.for('@tool-search/core:visibility-policy'),
);

/**
 * Makes a class a visibility policy. List it among a module's providers, and every list, search and call uses it. It
 * may inject any provider, including request-scoped ones; `@Injectable()` is not needed in addition.
 */
export function VisibilityPolicy(options?: InjectableOptions) {
  return (target: Type<ToolVisibilityPolicy>): void => VISIBILITY_POLICY.put(target, true, options);
}
