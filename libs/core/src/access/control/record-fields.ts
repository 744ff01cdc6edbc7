import type { JsonObject } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** The text and number fields of a record. @throws ToolSearchError `INTERNAL` for one that is missing or of another type */
export function fieldsOf<T extends string, N extends string = never>(
  value: JsonObject,
  texts: readonly T[],
  numbers: readonly N[] = [],
): Record<T, string> & Record<N, number> {
  const isText = (field: T | N): boolean => texts.includes(field as T);
  const read = (field: T | N) => {
    if (typeof value[field] !== (isText(field) ? 'string' : 'number')) throw unreadable(field);
    return [field, value[field]];
  };
  return Object.fromEntries([...texts, ...numbers].map(read)) as Record<T, string> & Record<N, number>;
}

function unreadable(field: string): ToolSearchError {
  return new ToolSearchError('INTERNAL', `A record of the control store has no ${field}.`, {
    hint: 'A newer version may have written it: run the same version everywhere.',
  });
}
