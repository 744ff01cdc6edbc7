import type { Type } from '@nestjs/common';
import type { DiscoveryService, ModuleRef } from '@nestjs/core';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ProviderMark } from '../decorators/provider-mark.js';
import { classesOf, isShared, type ProviderWrapper, resolveIn } from '../module/provider-class.js';
import { contextIdOf } from '../request/request-link.js';

/** A provider whose class or token has a mark. */
export interface MarkedProvider<T, V> {
  readonly wrapper: ProviderWrapper;
  /** The class that was built, or else the one used as token. */
  readonly type: Type;
  readonly types: readonly Type[];
  /** What the decorator has put on the class. */
  readonly value: V;
  /** The instance for all requests; undefined for a request-scoped or transient provider. */
  readonly instance: T | undefined;
}

/**
 * The providers with a mark. Two instances of one class are two providers, because they may be configured differently.
 *
 * @param method that each must have, with the words for a class that lacks it
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a class without the method
 */
export function markedProviders<T extends object, V>(
  discovery: DiscoveryService,
  mark: ProviderMark<T, V>,
  method: { readonly name: keyof T & string; readonly fault: string; readonly hint: string },
): readonly MarkedProvider<T, V>[] {
  const found = new Map<unknown, MarkedProvider<T, V>>();
  for (const wrapper of discovery.getProviders()) {
    const types = classesOf(wrapper);
    const [type] = types;
    const value = types.map((each) => mark.of(each)).find((each) => each !== undefined);
    if (!type || value === undefined) continue;
    const instance = isShared(wrapper) ? (wrapper.instance as T) : undefined;
    const candidate = (isShared(wrapper) ? instance : type.prototype) as Partial<T> | undefined;
    if (typeof candidate?.[method.name] !== 'function') {
      const { fault, hint } = method;
      throw new ToolSearchError('INVALID_CONFIGURATION', `${type.name}: ${fault}.`, { hint });
    }
    found.set(instance ?? wrapper, { wrapper, type, types, value, instance });
  }
  return [...found.values()];
}

/** The instances of a request-scoped or transient provider: one for each context, among the providers of its request. */
export class ScopedInstances<T extends object> {
  readonly #instances = new WeakMap<ToolContext, Promise<T>>();

  constructor(
    private readonly wrapper: ProviderWrapper,
    private readonly moduleRef: ModuleRef,
  ) {}

  of(context: ToolContext): Promise<T> {
    let instance = this.#instances.get(context);
    if (!instance) {
      instance = resolveIn(contextIdOf(context, this.moduleRef), this.wrapper) as Promise<T>;
      this.#instances.set(context, instance);
    }
    return instance;
  }
}
