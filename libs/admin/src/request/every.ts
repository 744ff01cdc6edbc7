/**
 * A type of the core, for a DTO class that must have each of its members, also the optional ones:
 *
 * ```ts
 * class SourceAnswer implements Every<SourceAnswer, SourceStatus> { … }
 * ```
 *
 * A DTO of which the core's type has another member, or the same one with another type, does not compile.
 */
export type Every<Dto, Core> = [keyof Core] extends [keyof Dto]
  ? Core
  : { readonly missing: Exclude<keyof Core, keyof Dto> };
