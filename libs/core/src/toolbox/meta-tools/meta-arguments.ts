import type { MetaTool } from '../surface/surface.js';
import type { ModelHint } from '../../tool/meta-names.js';
import type { SearchType } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** The definition of a meta tool; additional arguments are not allowed. */
export function metaTool(
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: readonly string[] = [],
): MetaTool {
  const given = required.length > 0 && { required };
  return { name, description, inputSchema: { type: 'object', properties, ...given, additionalProperties: false } };
}

/** How a model gets the name of a tool. */
export const nameHint: ModelHint = ({ search }) => search && `Copy it from an answer of ${search}.`;

/** Returns an argument that must be a non-empty string. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function textArgument(input: Readonly<Record<string, unknown>>, key: string, hint: string | ModelHint): string {
  const value = input[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolSearchError('INVALID_ARGUMENTS', `${key} must be a text.`, { hint });
}

/** Returns an optional boolean argument. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function flagArgument(input: Readonly<Record<string, unknown>>, key: string, otherwise: boolean): boolean {
  const { [key]: value = otherwise } = input;
  if (typeof value === 'boolean') return value;
  throw new ToolSearchError('INVALID_ARGUMENTS', `${key} must be true or false.`, { hint: 'Or leave it out.' });
}

/** Returns the requested search type if it is offered to models. @throws ToolSearchError `INVALID_ARGUMENTS` */
export function offeredType(asked: unknown, types: readonly SearchType[], otherwise: SearchType): SearchType {
  const type = types.find((each) => each === (asked ?? otherwise));
  if (type !== undefined) return type;
  throw new ToolSearchError('INVALID_ARGUMENTS', 'Unknown search type.', { hint: `Use one of ${types.join(', ')}.` });
}
