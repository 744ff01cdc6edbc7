import type { Type } from '@nestjs/common';
import { type ContextId, type DiscoveryService, ModuleRef } from '@nestjs/core';

/** A provider or controller as Nest's container holds it. */
export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * The classes a provider stands for: the one Nest or a factory built, and the class under which it is asked for. An
 * alias stands for none, since what it points at is a provider itself.
 */
export function classesOf(wrapper: ProviderWrapper): readonly Type[] {
  if (wrapper.isAlias) return [];
  const built = wrapper.isNotMetatype ? classOfInstance(wrapper) : wrapper.metatype;
  return [...new Set([built, wrapper.token])].filter((candidate): candidate is Type => isClass(candidate));
}

/** Whether one instance serves all requests; any other must be resolved at each use. */
export function isShared(wrapper: ProviderWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/** The provider's instance in a place of request-scoped providers. The placeholder in the wrapper was never constructed. */
export async function resolveIn(contextId: ContextId, wrapper: ProviderWrapper): Promise<object | undefined> {
  if (isShared(wrapper)) return wrapper.instance as object | undefined;
  // The ModuleRef of the provider's own module: another module may provide the same class for itself.
  const moduleRef = wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef).instance;
  return moduleRef?.resolve<object>(wrapper.token, contextId, { strict: true });
}

function classOfInstance(wrapper: ProviderWrapper): unknown {
  if (!isShared(wrapper)) return undefined;
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  return (Object.getPrototypeOf(instance) as object | null)?.constructor;
}

function isClass(candidate: unknown): boolean {
  return typeof candidate === 'function' && typeof candidate.prototype === 'object' && candidate.prototype !== null;
}
