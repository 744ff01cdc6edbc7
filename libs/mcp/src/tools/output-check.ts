import { createHash } from 'node:crypto';
import { isToolSearchError } from '@tool-search/core';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { depthOf, isObject } from '@tool-search/core/internal';

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 32;

/**
 * Checks structured content against a tool's output schema, which is compiled at the first answer. Accepts everything
 * if the schema is missing, too large, too deep or does not compile, because a faulty schema does not make the answer
 * wrong.
 */
export function outputCheck(schema: unknown): (structured: unknown) => boolean {
  let check: ((structured: unknown) => boolean) | undefined;
  return (structured) => (check ??= compiled(schema))(structured);
}

function compiled(schema: unknown): (structured: unknown) => boolean {
  const anything = () => true;
  if (!isObject(schema) || depthOf(schema, MAX_SCHEMA_DEPTH) > MAX_SCHEMA_DEPTH) return anything;
  const json = JSON.stringify(schema);
  if (Buffer.byteLength(json) > MAX_SCHEMA_BYTES) return anything;
  const key = `output:${createHash('sha256').update(json).digest('hex')}`;
  const validate = jsonSchemaValidator(key, schema);
  try {
    validate(null);
  } catch (error) {
    if (isToolSearchError(error) && error.code === 'INVALID_TOOL') return anything;
    throw error;
  }
  return (structured) => structured !== undefined && 'value' in validate(structured);
}
