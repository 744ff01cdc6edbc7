import { Injectable, type InjectableOptions, type Type } from '@nestjs/common';
import type { ToolVisibilityPolicy } from '../../access/visibility-policy.js';

// Weak, so that classes of tests can go.
const decorated = new Set<WeakRef<Type<ToolVisibilityPolicy>>>();

const VISIBILITY_POLICY = Symbol.for('@tool-search/core:visibility-policy');

/**
 * Makes a class a visibility policy: list it among a module's providers and every list, search and call asks it. It may
 * inject anything, request-scoped providers too; `@Injectable()` is not needed beside it.
 */
export function VisibilityPolicy(options?: InjectableOptions) {
  return (target: Type<ToolVisibilityPolicy>): void => {
    // An @Injectable({ scope }) below this decorator has already said more.
    if (options !== undefined || !Reflect.hasOwnMetadata('__injectable__', target)) Injectable(options)(target);
    Reflect.defineMetadata(VISIBILITY_POLICY, true, target);
    decorated.add(new WeakRef(target));
  };
}

/** Whether a class or one it extends is a visibility policy. */
export function isVisibilityPolicy(type: Type): boolean {
  return Reflect.getMetadata(VISIBILITY_POLICY, type) === true;
}

/** The classes with the decorator that are neither among these nor extended by one of them. */
export function unusedPolicies(used: readonly Type[]): readonly Type<ToolVisibilityPolicy>[] {
  return [...decorated].flatMap((ref) => {
    const type = ref.deref();
    if (!type) decorated.delete(ref);
    const isUsed = used.some((each) => each === type || (type && each.prototype instanceof type));
    return type && !isUsed ? [type] : [];
  });
}
