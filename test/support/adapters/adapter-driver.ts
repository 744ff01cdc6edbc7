import type { JsonSchema, Toolbox } from '@tool-search/core';
import type { ExposureMode } from '@tool-search/core/internal';

/** The input of a model at one step, independent of the wire format. */
export interface ScriptedTurn {
  /** Tools that the model may call now, by wire name. Excludes tools that the provider still defers. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }[];
  /** All instructions, from any place in the format. */
  readonly instructions: string;
  /** Results of the previous step's calls, in call order. */
  readonly results: readonly { readonly name: string; readonly text: string }[];
}

/** The scripted model's reply: tool calls, or the final text. */
export type ScriptedReply =
  { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] } | { readonly text: string };

/** A scripted model. Decides by its input only, so that one script works with every adapter and mode. */
export type Script = (turn: ScriptedTurn, step: number) => ScriptedReply | Promise<ScriptedReply>;

/** Result of a conversation. */
export interface DrivenConversation {
  readonly answer: string;
  /** Input of the model at each step. */
  readonly turns: readonly ScriptedTurn[];
  /** The conversation in the adapter's own format, to continue it. */
  readonly said: unknown;
}

/** Runs conversations through one adapter: its real SDK against a local server that checks the wire format. */
export interface AdapterDriver {
  readonly name: string;
  /** Modes that the adapter supports directly. For others it uses its documented fallback. */
  readonly modes: readonly ExposureMode[];
  /** How the SDK itself answers calls of tools that are not listed. @default the toolbox answers them */
  readonly answersUnlisted?: RegExp;
  run(
    toolbox: Toolbox,
    conversation: {
      readonly mode: ExposureMode | 'auto';
      readonly prompt: string;
      readonly script: Script;
      /** {@link DrivenConversation.said} of an earlier conversation. @default a new conversation */
      readonly before?: unknown;
    },
  ): Promise<DrivenConversation>;
  close?(): Promise<void>;
}
