import { Injectable, type InjectableOptions, type Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';

// Weak references, so that classes created in tests can be garbage-collected.
const decorated = new Set<WeakRef<Type<ToolVisibilityPolicy>>>();

const VISIBILITY_POLICY = Symbol.for('@tool-search/core:visibility-policy');

/**
 * Makes a class a visibility policy. List it among a module's providers, and every list, search and call uses it. It
 * may inject any provider, including request-scoped ones; `@Injectable()` is not needed in addition.
 */
export function VisibilityPolicy(options?: InjectableOptions) {
  return (target: Type<ToolVisibilityPolicy>): void => {
    // An @Injectable({ scope }) below this decorator has set the scope already.
    if (options !== undefined || !Reflect.hasOwnMetadata('__injectable__', target)) Injectable(options)(target);
    Reflect.defineMetadata(VISIBILITY_POLICY, true, target);
    decorated.add(new WeakRef(target));
  };
}

/** Whether the class, or one that it extends, is a visibility policy. */
export function isVisibilityPolicy(type: Type): boolean {
  return Reflect.getMetadata(VISIBILITY_POLICY, type) === true;
}

/** Decorated classes that are neither used nor extended by a used class. */
export function unusedPolicies(used: readonly Type[]): readonly Type<ToolVisibilityPolicy>[] {
  return [...decorated].flatMap((ref) => {
    const type = ref.deref();
    if (!type) decorated.delete(ref);
    const isUsed = used.some((each) => each === type || (type && each.prototype instanceof type));
    return type && !isUsed ? [type] : [];
  });
}
