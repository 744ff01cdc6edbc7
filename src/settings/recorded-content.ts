import type { ToolSearchModuleOptions } from '@tool-search/core';
import { PatternRedactor } from '@tool-search/redaction';
import type { Environment } from './environment.js';

/**
 * Redaction of the tools whose arguments or results are recorded, which is allowed only after redaction. Nothing is
 * redacted while `TOOL_SEARCH_RECORD_ARGUMENTS` and `TOOL_SEARCH_RECORD_RESULTS` name no tool.
 */
export function recordedContent({ options: { record } }: Environment): Pick<ToolSearchModuleOptions, 'redaction'> {
  if (!record) return {};
  const tools = [...(record.arguments ?? []), ...(record.results ?? [])];
  return tools.length === 0 ? {} : { redaction: { redactor: new PatternRedactor(), tools } };
}
