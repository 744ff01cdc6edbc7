import type { InjectableOptions, Type } from '@nestjs/common';
import type { ToolCallInterceptor as Interceptor } from '../../tool/tool-call-interceptor.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { ProviderMark } from './provider-mark.js';

/** The mark of interceptors, with their order. */
export const CALL_INTERCEPTOR = new ProviderMark<Interceptor, number>(
  Symbol.for('@tool-search/core:tool-call-interceptor'),
);

/** The place of an interceptor among the others, and its scope. */
export interface ToolCallInterceptorOptions extends InjectableOptions {
  /** The interceptor with the lowest order is the outermost; of equal ones, that of the provider found first. @default 0 */
  readonly order?: number;
}

/** What a class with `@ToolCallInterceptor()` implements. */
export type ToolCallInterceptor = Interceptor;

/**
 * Makes a class a stage of every call of a tool and every read of a resource or prompt. List it among a module's
 * providers; a class that no module provides fails the boot. It may inject any provider, including request-scoped ones;
 * `@Injectable()` is not needed in addition.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an order that is no number
 */
export function ToolCallInterceptor({ order = 0, ...options }: ToolCallInterceptorOptions = {}) {
  return (target: Type<Interceptor>): void => {
    if (!Number.isFinite(order)) {
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `${target.name}: the order of an interceptor must be a number.`,
        {
          hint: 'The lowest is the outermost; leave it out for 0.',
        },
      );
    }
    CALL_INTERCEPTOR.put(target, order, Object.keys(options).length === 0 ? undefined : options);
  };
}
