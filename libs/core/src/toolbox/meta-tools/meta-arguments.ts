import type { JsonSchema } from '../../json/json.js';
import type { SearchType } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** The input schema of a meta tool: these properties and no others. */
export function metaInput(properties: Record<string, unknown>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** An argument that has to be a text. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function textArgument(input: Readonly<Record<string, unknown>>, key: string, hint: string): string {
  const value = input[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolSearchError('INVALID_ARGUMENTS', `${key} must be a text.`, { hint });
}

/** An argument that may be true or false. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function flagArgument(input: Readonly<Record<string, unknown>>, key: string, otherwise: boolean): boolean {
  const { [key]: value = otherwise } = input;
  if (typeof value === 'boolean') return value;
  throw new ToolSearchError('INVALID_ARGUMENTS', `${key} must be true or false.`, { hint: 'Or leave it out.' });
}

/** The search type a model asked for, if it is offered. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function offeredType(asked: unknown, types: readonly SearchType[], otherwise: SearchType): SearchType {
  const type = types.find((each) => each === (asked ?? otherwise));
  if (type !== undefined) return type;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'Unknown search type.', { hint: `Use one of ${types.join(', ')}.` });
}
