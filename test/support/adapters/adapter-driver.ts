import type { ExposureMode, JsonSchema, Toolbox } from '@tool-search/core';

/** What a model has before it at one step, whatever the wire format. */
export interface ScriptedTurn {
  /** Tools that the model may call now, under the names of the wire; those a provider still holds back are not among them. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }[];
  /** All instructions, wherever the format has them. */
  readonly instructions: string;
  /** What the calls of the step before came to, in their order. */
  readonly results: readonly { readonly name: string; readonly text: string }[];
}

/** What the scripted model says: calls of tools, or its last words. */
export type ScriptedReply =
  { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] } | { readonly text: string };

/** A model without a model: decides by what it is shown, so that one script runs through every adapter and mode. */
export type Script = (turn: ScriptedTurn, step: number) => ScriptedReply | Promise<ScriptedReply>;

/** How a conversation went. */
export interface DrivenConversation {
  readonly answer: string;
  /** What the model was shown, step by step. */
  readonly turns: readonly ScriptedTurn[];
  /** The conversation in the adapter's own form, to go on with. */
  readonly said: unknown;
}

/** Runs conversations through one adapter: its real SDK against a local server that checks the wire format. */
export interface AdapterDriver {
  readonly name: string;
  /** Modes the adapter shows as they are; in others it falls back as it documents. */
  readonly modes: readonly ExposureMode[];
  run(
    toolbox: Toolbox,
    conversation: {
      readonly mode: ExposureMode | 'auto';
      readonly prompt: string;
      readonly script: Script;
      /** What {@link DrivenConversation.said} was when it ended before. @default a new conversation */
      readonly before?: unknown;
    },
  ): Promise<DrivenConversation>;
  close?(): Promise<void>;
}
