import { flag, object, type OptionsOf } from '@tool-search/core/internal';

export const telemetryOptions = object({
  /** Records the session's id in spans as `gen_ai.conversation.id`. @default true */
  recordSession: flag().default(true),
  /** Adds the tool's name as a label to call durations: one set of series per tool. @default false */
  toolLabel: flag().default(false),
});

/** Data that spans and metrics record in addition to the defaults. */
export interface ToolSearchTelemetryOptions extends OptionsOf<typeof telemetryOptions> {}
