import type { Type } from '@nestjs/common';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ProviderWrapper } from '../module/provider-class.js';

export interface ToolMethod {
  readonly name: string;
  readonly type: Type;
  readonly method: string;
  /** The provider whose instance the method is called on. */
  readonly host: ProviderWrapper;
}

/** Nest's metadata key of `@UseGuards()`. */
export const GUARDS = '__guards__';

const ENHANCERS = [GUARDS, '__interceptors__', '__pipes__'];

export function enhancersOf(kind: string, target: object): readonly unknown[] {
  return (Reflect.getMetadata(kind, target) as readonly unknown[] | undefined) ?? [];
}

/**
 * Refuses a method if Nest would silently skip one of its guards, interceptors or pipes, or run it without constructing
 * it.
 *
 * @param globals the application's request-scoped and transient global enhancers
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkEnhancers({ type, method, host }: ToolMethod, globals: readonly ProviderWrapper[]): void {
  const handler = (type.prototype as Record<string, object>)[method] as object;
  const refusal = (name: string, hint: string) =>
    new ToolSearchError('INVALID_CONFIGURATION', `${type.name}.${method}: Nest would not run ${name} here.`, { hint });
  const scopes = 'Tools take singletons and request-scoped ones; make it one of these.';
  for (const enhancer of ENHANCERS.flatMap((kind) => [...enhancersOf(kind, type), ...enhancersOf(kind, handler)])) {
    if (typeof enhancer !== 'function') continue;
    const wrapper = host.host?.injectables.get(enhancer);
    if (!wrapper || !isBound(wrapper, host)) {
      throw refusal(
        enhancer.name,
        `Provide ${type.name} as a class (providers: [${type.name}]), or give the decorator an instance.`,
      );
    }
    if (wrapper.isTransient) throw refusal(enhancer.name, scopes);
  }
  for (const wrapper of globals) if (wrapper.isTransient) throw refusal(String(wrapper.name), scopes);
}

// Nest finds a class's enhancers by its provider, and resolves request-scoped ones only for the provider that declared
// them.
function isBound(enhancer: ProviderWrapper, host: ProviderWrapper): boolean {
  if (host.host?.providers.get(host.token)?.id !== host.id) return false;
  return enhancer.isDependencyTreeStatic() || (host.getEnhancersMetadata() ?? []).some(({ id }) => id === enhancer.id);
}
