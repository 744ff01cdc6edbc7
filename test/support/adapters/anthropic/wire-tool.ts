import type { JsonSchema } from '@tool-search/core';

export type Json = Record<string, unknown>;

/** A definition that the API accepts. */
export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly isDeferred: boolean;
}

/** A request that the API rejects with status 400. */
export class Refused extends Error {}

const TOOL_FIELDS = new Set(
  'name description input_schema type cache_control defer_loading strict input_examples eager_input_streaming allowed_callers'.split(
    ' ',
  ),
);

/** Parses a definition. @throws Refused */
export function toolOf(value: unknown, index: number): WireTool {
  const at = `tools.${index}.custom`;
  const tool = objectOf(value, at);
  only(tool, TOOL_FIELDS, `${at}.`);
  const { name, description = '' } = tool;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    throw new Refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (typeof description !== 'string') throw new Refused(`${at}.description: Input should be a valid string`);
  const inputSchema = objectOf(tool['input_schema'], `${at}.input_schema`) as JsonSchema & Json;
  if (inputSchema['type'] !== 'object') throw new Refused(`${at}.input_schema.type: Input should be 'object'`);
  if ('oneOf' in inputSchema || 'anyOf' in inputSchema || 'allOf' in inputSchema) {
    throw new Refused(`${at}.input_schema: does not support oneOf, allOf, or anyOf at the top level`);
  }
  const isDeferred = tool['defer_loading'] === true;
  if (isDeferred && tool['cache_control']) throw new Refused(`${at}: cache_control cannot be set with defer_loading`);
  return { name, description, inputSchema, isDeferred };
}

/** @throws Refused for a field that is not known */
export function only(value: Json, known: ReadonlySet<string>, at: string): void {
  for (const field of Object.keys(value)) {
    if (!known.has(field)) throw new Refused(`${at}${field}: Extra inputs are not permitted`);
  }
}

/** @throws Refused unless the value is an object */
export function objectOf(value: unknown, at: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused(`${at}: Input should be a valid dictionary`);
  }
  return value as Json;
}
