import type { FuncKeywordDefinition } from 'ajv';
import { configure } from 'safe-stable-stringify';

const canonical = configure({ deterministic: true });

/**
 * The keyword `uniqueItems` in linear time. Ajv's own compares all pairs of items unless the schema states their type
 * beside the keyword. Equality is that of JSON: 1 equals 1.0, "1" differs from 1, the order of keys does not matter.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  error: { message: 'must NOT have duplicate items' },
  validate: (unique: boolean, items: readonly unknown[]) =>
    !unique || new Set(items.map((item) => canonical(item))).size === items.length,
};
