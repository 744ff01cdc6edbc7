import type { z } from 'zod';
import type { JsonObject } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/**
 * The value of a record, as its schema reads it.
 *
 * @throws ToolSearchError `INTERNAL` that names the first field which is missing or of another type
 */
export function readFields<S extends z.ZodObject>(schema: S, value: JsonObject): z.output<S> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new ToolSearchError('INTERNAL', `A record of the control store has no ${error.issues[0]?.path.join('.')}.`, {
    hint: 'A newer version may have written it: run the same version everywhere.',
  });
}

/** A text field of a record's value; `''` if it has none. */
export function textIn(value: JsonObject | null, field: string): string {
  const text = value?.[field];
  return typeof text === 'string' ? text : '';
}
