import { object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import type { MetaKind } from '../../tool/meta-names.js';
import type { CallerInput, ToolLogEntry } from '../../tool/source/caller-input.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import type { ToolFailure } from '../../tool/tool-result.js';
import type { ToolProgress } from '../../tool/tool-source.js';
import type { ArgumentOrigin } from './check-arguments.js';
import { sourceQueueOptions, sourceQueueTuning } from './source-queue.js';

/** Options of one call. */
export interface CallOptions extends ArgumentOrigin {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** @default a random UUID */
  readonly callId?: string;
  readonly onProgress?: (update: ToolProgress) => void;
  /** Answers what a running tool asks. @default a tool that asks ends with `INPUT_REQUIRED` */
  readonly input?: CallerInput;
  /** Receives what a running tool logs. @default nothing is kept */
  readonly onLog?: (entry: ToolLogEntry) => void;
  /** Tool names used in the arguments and answers of meta tools. @default canonical names */
  readonly naming?: ToolNaming;
  /**
   * Limits the tokens of definitions that a search by the model lists, where that is less than `search.offerTokens`: for
   * a conversation that keeps a definition for good. The best hit is always listed.
   *
   * @default `search.offerTokens`
   */
  readonly offerTokens?: number;
  /**
   * Refuses a tool that the gate admits, before an approval is asked for: hidden tools stay unknown, and no operator is
   * asked about a call that is refused in any case. The call ends with the code and the words of a returned failure.
   *
   * @default none is refused
   */
  readonly refuse?: (tool: ToolDefinition) => ToolFailure | undefined;
  /**
   * Asks whether an admitted tool may run with these arguments, before it is activated. A returned failure ends the
   * call and is its result. The time that the answer takes does not count as time of the call.
   *
   * @default nothing is asked
   */
  readonly confirm?: (tool: ToolDefinition, input: unknown) => Promise<ToolFailure | undefined>;
  /** Refuses a meta tool instead of answering with it. @default all are answered */
  readonly refuseMeta?: (name: string, kind: MetaKind) => ToolFailure | undefined;
  /** Returns the whole result, however large: for a program, never for a model. @default false */
  readonly whole?: boolean;
  /**
   * Whether the caller's list may show tools by their names without a namespace. Reaches no tool by such a name: it tells
   * the record which hidden tool was called.
   *
   * @default false
   */
  readonly bareNames?: boolean;
}

export const callsOptions = object({
  /** Maximum size of a result in bytes; a larger result is cut and flagged. @default 1048576 */
  maxResultBytes: whole(1024, 1_073_741_824).default(1_048_576),
  ...sourceQueueOptions.shape,
});

/** Bounds of calls. */
export interface CallsOptions extends OptionsOf<typeof callsOptions> {}

export const callsSchema = object({ ...callsOptions.shape, ...sourceQueueTuning.shape });

export type CallsSettings = SettingsOf<typeof callsSchema>;
