import type { Type } from '@nestjs/common';
import { type ContextId, type DiscoveryService, ModuleRef } from '@nestjs/core';

/** A provider or controller as Nest's container holds it. */
export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * The classes of a provider: the one that Nest or a factory built, and the one used as token. An alias has none,
 * because its target is a provider of its own.
 */
export function classesOf(wrapper: ProviderWrapper): readonly Type[] {
  if (wrapper.isAlias) return [];
  const built = wrapper.isNotMetatype ? classOfInstance(wrapper) : wrapper.metatype;
  return [...new Set([built, wrapper.token])].filter(isClass);
}

/** Whether one instance serves all requests; any other provider must be resolved at each use. */
export function isShared(wrapper: ProviderWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/**
 * The provider's instance for this context id. A scoped provider's `wrapper.instance` is an unconstructed placeholder.
 */
export async function resolveIn(contextId: ContextId, wrapper: ProviderWrapper): Promise<object | undefined> {
  if (isShared(wrapper)) return wrapper.instance as object | undefined;
  // The ModuleRef of the provider's own module, because another module may provide the same class.
  const moduleRef = wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef).instance;
  return moduleRef?.resolve<object>(wrapper.token, contextId, { strict: true });
}

function classOfInstance(wrapper: ProviderWrapper): unknown {
  if (!isShared(wrapper)) return undefined;
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  return (Object.getPrototypeOf(instance) as object | null)?.constructor;
}

/** Whether a provider's type or token is a class, and not a function without a prototype. */
export function isClass(candidate: unknown): candidate is Type {
  return typeof candidate === 'function' && typeof candidate.prototype === 'object' && candidate.prototype !== null;
}
