import type { ModelMessage, Tool } from 'ai';

/** What a provider holds back at one step. */
export interface HeldBack {
  readonly messages: ModelMessage[];
  /** Names of tools that are known to the model through the conversation. */
  readonly names: ReadonlySet<string>;
  /** Those that the conversation may refer to. */
  readonly references: ReadonlySet<string>;
  /** What says so at a tool. */
  readonly options: NonNullable<Tool['providerOptions']>;
}
