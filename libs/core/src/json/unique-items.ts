import type { FuncKeywordDefinition } from 'ajv';
import { configure } from 'safe-stable-stringify';

const canonical = configure({ deterministic: true });

/**
 * The keyword `uniqueItems` in linear time: Ajv's own compares every item with every other one unless their type is
 * written right beside it. Equality is JSON's: 1 is 1.0, "1" is not 1, the order of an object's keys does not count.
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
