// Copied, as OpenTelemetry recommends to libraries: the package of unstable names may change in any minor version.

/** Instrumentation scope of spans and metrics. */
export const SCOPE = '@tool-search/core';

/** Attribute and metric names from the GenAI and general semantic conventions. */
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

/** Value of `error.type` for errors without a code. */
export const OTHER_ERROR = '_OTHER';
