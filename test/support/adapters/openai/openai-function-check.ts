import type { JsonSchema } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { OpenAiWireError } from './openai-wire-error.js';

// OpenAI's rules: names as in `FunctionDefinition` of its SDK, the rest from its error messages.
const NAME = /^[a-zA-Z0-9_-]+$/;
const NAME_CHARS = 64;
const BARRED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];
/** Maximum number of tools per request. */
export const MAX_TOOLS = 128;

/** @throws OpenAiWireError */
export function checkName(name: unknown, at: string): string {
  if (typeof name !== 'string') {
    throw new OpenAiWireError(`Missing required parameter: '${at}'.`, at, 'missing_required_parameter');
  }
  if (name === '') throw new OpenAiWireError(`Invalid '${at}': empty string.`, at, 'empty_string');
  if (name.length > NAME_CHARS) {
    const message = `Invalid '${at}': string too long. Expected a string with maximum length ${NAME_CHARS}, but got a string with length ${name.length} instead.`;
    throw new OpenAiWireError(message, at, 'string_above_max_length');
  }
  if (!NAME.test(name)) {
    const message = `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    throw new OpenAiWireError(message, at, 'invalid_value');
  }
  return name;
}

/** Checks the number of tools and that their names are unique. @throws OpenAiWireError */
export function checkToolList(names: readonly string[], at = 'tools'): void {
  if (names.length === 0) {
    throw new OpenAiWireError(
      `Invalid '${at}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      at,
      'empty_array',
    );
  }
  if (names.length > MAX_TOOLS) {
    throw new OpenAiWireError(
      `Invalid '${at}': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${names.length} instead.`,
      at,
      'array_above_max_length',
    );
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new OpenAiWireError(`Invalid '${at}': the tool name '${twice}' is not unique.`, at, 'invalid_value');
  }
}

/** Checks the schema of a function's arguments by the rules without strict mode. @throws OpenAiWireError */
export function checkParameters(schema: unknown, name: string, at: string): JsonSchema {
  if (schema === undefined) return { type: 'object', properties: {} };
  const refuse = (fault: string): never => {
    throw new OpenAiWireError(`Invalid schema for function '${name}': ${fault}`, at, 'invalid_function_parameters');
  };
  if (!isObject(schema)) return refuse('schema must be a JSON Schema object.');
  const { type } = schema;
  if (type !== 'object') return refuse(`schema must be a JSON Schema of 'type: "object"', got 'type: ${said(type)}'.`);
  if (BARRED_AT_ROOT.some((key) => key in schema)) {
    return refuse(`schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`);
  }
  if (!isObject(schema['properties'])) return refuse('In context=(), object schema missing properties.');
  const lost = arrayWithoutItems(schema, []);
  if (lost) return refuse(`In context=(${lost.map((key) => `'${key}'`).join(', ')}), array schema missing items.`);
  return schema;
}

const SCHEMAS = ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];

function arrayWithoutItems(node: unknown, path: readonly string[]): readonly string[] | undefined {
  if (!isObject(node)) return undefined;
  if ([node['type']].flat().includes('array') && node['items'] === undefined) return path;
  for (const key of [...SCHEMAS, ...LISTS, ...MAPS]) {
    const part = node[key];
    const children = SCHEMAS.includes(key)
      ? [[key, part] as const]
      : Object.entries((part as object | undefined) ?? {}).map(
          ([inner, child]) => [`${key}', '${inner}`, child] as const,
        );
    for (const [inner, child] of children) {
      const lost = arrayWithoutItems(child, [...path, inner]);
      if (lost) return lost;
    }
  }
  return undefined;
}

function said(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : JSON.stringify(value ?? null);
}
