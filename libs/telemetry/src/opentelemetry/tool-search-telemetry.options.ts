import { checkKeys } from '@tool-search/core';

/** What spans and metrics tell beyond what they always tell. */
export interface ToolSearchTelemetryOptions {
  /** Spans carry the session's id as `gen_ai.conversation.id`. @default true */
  readonly recordSession?: boolean;
  /** Durations of calls carry the tool's name as a label: one set of series for each tool. @default false */
  readonly toolLabel?: boolean;
}

// Complete by type: a new option does not compile without a line here.
const KNOWN: Record<keyof ToolSearchTelemetryOptions, true> = { recordSession: true, toolLabel: true };

/** @throws ToolSearchError `INVALID_CONFIGURATION` for an option that is none */
export function checkTelemetryOptions(options: unknown): void {
  checkKeys(options, Object.keys(KNOWN), 'ToolSearchTelemetryModule.forRoot()');
}
