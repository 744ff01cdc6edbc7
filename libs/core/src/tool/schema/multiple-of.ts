import { type FuncKeywordDefinition, str } from 'ajv';
import { isMultiple } from '../../json/exact-decimal.js';

/** The keyword `multipleOf` in decimals. Ajv's own divides binary numbers: it refuses 19.99 as a multiple of 0.01. */
export const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  errors: false,
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  validate: (factor: number, value: number) => isMultiple(value, factor),
};
