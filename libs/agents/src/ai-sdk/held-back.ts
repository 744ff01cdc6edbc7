import type { ModelMessage, Tool } from 'ai';

/** The tools that a provider defers at one step. */
export interface HeldBack {
  readonly messages: ModelMessage[];
  /** Names of tools that the model knows through the conversation. */
  readonly names: ReadonlySet<string>;
  /** Names that the conversation may reference. */
  readonly references: ReadonlySet<string>;
  /** Provider options that mark a tool as deferred. */
  readonly options: NonNullable<Tool['providerOptions']>;
}
