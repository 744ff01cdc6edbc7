import { Injectable, type InjectableOptions, type Type } from '@nestjs/common';

/** What a decorator puts on classes, so that providers of these classes are found. */
export class ProviderMark<T, V = true> {
  // Weak references, so that classes created in tests can be garbage-collected.
  readonly #marked = new Set<WeakRef<Type<T>>>();

  /** @param key the same in every copy of the package */
  constructor(private readonly key: symbol) {}

  /** @param options @default those of an `@Injectable()` below, which has set the scope already */
  put(target: Type<T>, value: V, options?: InjectableOptions): void {
    if (options !== undefined || !Reflect.hasOwnMetadata('__injectable__', target)) Injectable(options)(target);
    Reflect.defineMetadata(this.key, value, target);
    this.#marked.add(new WeakRef(target));
  }

  /** The value on the class, or on one that it extends; undefined for other classes. */
  of(type: Type): V | undefined {
    return Reflect.getMetadata(this.key, type) as V | undefined;
  }

  /**
   * Marked classes that are neither used nor extended by a used class.
   *
   * @param known also counts as used, and takes the used classes. @default none
   */
  unused(used: readonly Type[], known = new WeakSet<Type>()): readonly Type<T>[] {
    for (const each of used) {
      for (let type: unknown = each; typeof type === 'function'; type = Object.getPrototypeOf(type))
        known.add(type as Type);
    }
    return [...this.#marked].flatMap((ref) => {
      const type = ref.deref();
      if (!type) this.#marked.delete(ref);
      return type && !known.has(type) ? [type] : [];
    });
  }
}
