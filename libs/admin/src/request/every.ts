/**
 * A type of the core, for a DTO class that must state each of its members, also the optional ones:
 *
 * ```ts
 * class SourceAnswer implements Every<SourceAnswer, SourceStatus> { … }
 * ```
 *
 * A DTO that lacks a member, or has it with another type, narrower or wider, does not compile. It may have members of
 * its own, and may require what the core leaves optional. Optional members of a member's type are checked only where
 * that type is a DTO with `Every` of its own. The list in a decorator has no type: it is a constant of the core, or the
 * type of the member is made from it.
 */
export type Every<Dto, Core> = [Unlike<Dto, Core>] extends [never]
  ? Core
  : { readonly missingOrOther: Unlike<Dto, Core> };

/** The members of the core's type that the DTO lacks, or that may have values there that the DTO does not state. */
type Unlike<Dto, Core> = {
  [Name in keyof Core]-?: Name extends keyof Dto
    ? [Exclude<Core[Name], undefined>] extends [Exclude<Dto[Name], undefined>]
      ? never
      : Name
    : Name;
}[keyof Core];
