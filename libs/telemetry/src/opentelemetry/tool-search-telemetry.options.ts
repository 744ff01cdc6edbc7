/** What spans and metrics tell beyond what they always tell. */
export interface ToolSearchTelemetryOptions {
  /** Spans carry the session's id as `gen_ai.conversation.id`. @default true */
  readonly recordSession?: boolean;
  /** Durations of calls carry the tool's name as a label: one set of series for each tool. @default false */
  readonly toolLabel?: boolean;
}
