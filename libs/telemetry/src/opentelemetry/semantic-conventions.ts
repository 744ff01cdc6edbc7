// Copied, as OpenTelemetry asks of libraries: its package of names in development may change in any minor version.

/** Name under which spans and metrics are recorded. */
export const SCOPE = '@tool-search/core';

/** Names of the GenAI and general semantic conventions. */
export const CONVENTION = {
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
  conversation: 'gen_ai.conversation.id',
  dataSource: 'gen_ai.data_source.id',
  errorType: 'error.type',
  executeToolDuration: 'gen_ai.execute_tool.duration',
} as const;

/** The value of `error.type` for a failure that has no code. */
export const OTHER_ERROR = '_OTHER';
