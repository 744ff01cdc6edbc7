import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isObject, type JsonSchema } from '../../json/json.js';
import type { InputIssue, ToolInputValidator } from '../tool-definition.js';
import { ToolSearchError } from '../tool-search.error.js';
import { inputIssue, MAX_ISSUES, pointerTo, valueStart } from './input-issue.js';

/** A Standard Schema that can also describe itself as JSON Schema (zod 4.2, ArkType, Valibot with its converter …). */
type DescribingSchema = StandardSchemaV1 & {
  readonly '~standard': {
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> };
  };
};

export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    '~standard' in value &&
    isObject((value as { '~standard': unknown })['~standard'])
  );
}

/**
 * JSON Schema and validator of a Standard Schema.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when the library cannot express the schema as JSON Schema
 */
export function standardSchemaInput(schema: StandardSchemaV1): {
  inputSchema: JsonSchema;
  validate: ToolInputValidator;
} {
  const { jsonSchema, vendor } = (schema as DescribingSchema)['~standard'];
  if (!jsonSchema) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `The ${vendor} schema cannot describe itself as JSON Schema.`, {
      hint: 'Use a library with Standard JSON Schema (zod 4.2 or newer), or pass JSON Schema as input.',
    });
  }
  let inputSchema: JsonSchema;
  try {
    inputSchema = jsonSchema.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `The ${vendor} schema has parts that JSON Schema cannot express.`,
      { hint: 'Tool input travels as JSON: use strings, numbers, booleans, arrays and objects.', cause: error },
    );
  }
  return {
    inputSchema,
    validate: async (input) => {
      const result = await schema['~standard'].validate(input);
      if (!result.issues) return { value: result.value };
      return { issues: result.issues.slice(0, MAX_ISSUES).map((issue) => standardIssue(issue, input)) };
    },
  };
}

function standardIssue({ path = [], message }: StandardSchemaV1.Issue, input: unknown): InputIssue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  const value = keys.reduce<unknown>((node, key) => (Object(node) as Record<PropertyKey, unknown>)[key], input);
  const start = valueStart(message, value);
  return inputIssue(pointerTo(...keys), start === -1 ? message : `${message.slice(0, start)}…`);
}
