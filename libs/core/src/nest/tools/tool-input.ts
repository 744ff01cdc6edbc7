import type { Type } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isObject, type JsonSchema } from '../../json/json.js';
import type { ToolInputValidator } from '../../tool/tool-definition.js';
import { isStandardSchema, standardSchemaInput } from '../../tool/schema/standard-schema.js';
import { jsonSchemaValidator } from '../../tool/schema/tool-schema.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { dtoInput } from '../schema/dto-schema.js';
import type { ToolSchema } from '../decorators/tool.decorator.js';

/** A schema that needs no optional package. */
export type PlainSchema = Exclude<ToolSchema, Type<object>>;

interface ToolInput {
  readonly inputSchema: JsonSchema;
  /** Absent for raw JSON Schema, which the catalog validates itself. */
  readonly validate?: ToolInputValidator;
}

const NO_ARGUMENTS: ToolInput = { inputSchema: { type: 'object', properties: {}, additionalProperties: false } };

/**
 * Schema and validator of an `input` option.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` or `INVALID_TOOL` for a schema that no call can satisfy
 */
export async function toolInput(schema: ToolSchema | undefined): Promise<ToolInput> {
  return isDto(schema) ? checked(dtoInput(schema)) : plainInput(schema);
}

/** Synchronous {@link toolInput} for schemas without DTO classes. @throws as {@link toolInput} */
export function plainInput(schema: PlainSchema | undefined): ToolInput {
  return schema === undefined ? NO_ARGUMENTS : checked(described(schema));
}

function checked(input: ToolInput): ToolInput {
  const inputSchema = objectAtRoot(input.inputSchema);
  // Compiled now, so that an unresolvable reference fails at declaration and not at the first call.
  if (!input.validate) jsonSchemaValidator(JSON.stringify(inputSchema), inputSchema, { whole: true })({});
  return { ...input, inputSchema };
}

export async function toolOutputSchema(schema: ToolSchema | undefined): Promise<JsonSchema | undefined> {
  return isDto(schema) ? dtoInput(schema).inputSchema : plainOutputSchema(schema);
}

/** Synchronous {@link toolOutputSchema}. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function plainOutputSchema(schema: PlainSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  return described(isStandardSchema(schema) ? outputSide(schema) : schema).inputSchema;
}

// A Standard Schema may also be a function.
function isDto(schema: ToolSchema | undefined): schema is Type<object> {
  return typeof schema === 'function' && !isStandardSchema(schema);
}

function described(schema: PlainSchema): ToolInput {
  if (isStandardSchema(schema)) return standardSchemaInput(schema);
  if (isObject(schema)) return { inputSchema: schema };
  throw new ToolSearchError('INVALID_CONFIGURATION', 'The schema is none.', {
    hint: 'Pass a Standard Schema such as z.object(…), a class-validator DTO class or a JSON Schema object.',
  });
}

// Arguments are always an object, so `type: 'object'` can be added at the root of a union.
function objectAtRoot(schema: JsonSchema): JsonSchema {
  if (schema['type'] === undefined && ['anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema)) {
    return { type: 'object', ...schema };
  }
  if (schema['type'] === 'object') return schema;
  throw new ToolSearchError('INVALID_CONFIGURATION', 'The input is not an object.', {
    hint: 'Models send arguments by name: wrap the value in an object, for example z.object({ value: … }).',
  });
}

// A Standard Schema has separate input and output schemas; a tool's result is described by the output one.
function outputSide(schema: StandardSchemaV1): StandardSchemaV1 {
  const standard = schema['~standard'] as { readonly jsonSchema?: { input: unknown; output: unknown } };
  const { jsonSchema } = standard;
  if (!jsonSchema) return schema;
  return {
    '~standard': { ...schema['~standard'], jsonSchema: { ...jsonSchema, input: jsonSchema.output } },
  } as StandardSchemaV1;
}
