import type { JsonObject } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** A text field of a record. @throws ToolSearchError `INTERNAL` for any other type */
export function textOf(value: JsonObject, field: string): string {
  const text = value[field];
  if (typeof text === 'string') return text;
  throw unreadable(field);
}

/** A number field of a record. @throws ToolSearchError `INTERNAL` for any other type */
export function numberOf(value: JsonObject, field: string): number {
  const number = value[field];
  if (typeof number === 'number') return number;
  throw unreadable(field);
}

function unreadable(field: string): ToolSearchError {
  return new ToolSearchError('INTERNAL', `A record of the control store has no ${field}.`, {
    hint: 'A newer version may have written it: run the same version everywhere.',
  });
}
