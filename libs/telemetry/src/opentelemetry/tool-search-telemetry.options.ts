import { checkKeys } from '@tool-search/core';

/** Data that spans and metrics record in addition to the defaults. */
export interface ToolSearchTelemetryOptions {
  /** Records the session's id in spans as `gen_ai.conversation.id`. @default true */
  readonly recordSession?: boolean;
  /** Adds the tool's name as a label to call durations: one set of series per tool. @default false */
  readonly toolLabel?: boolean;
}

// Complete by type: a new option does not compile without an entry here.
const KNOWN: Record<keyof ToolSearchTelemetryOptions, true> = { recordSession: true, toolLabel: true };

/** @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown option */
export function checkTelemetryOptions(options: unknown): void {
  checkKeys(options, Object.keys(KNOWN), 'ToolSearchTelemetryModule.forRoot()');
}
