import { isObject, type JsonSchema, type PlainSchema } from '@tool-search/core';
import { asSchema, type FlexibleSchema } from 'ai';

interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

/**
 * Converts a schema of the AI SDK for core: JSON Schema for the model, and the schema's own validation, which may
 * convert values. Lazy schemas are resolved here.
 */
export async function plainSchemaOf(flexible: FlexibleSchema | undefined): Promise<PlainSchema> {
  const { jsonSchema, validate } = asSchema(flexible);
  const known = (await jsonSchema) as JsonSchema;
  if (!isObject(known)) throw new TypeError('the schema gives no JSON Schema');
  // Arguments are always an object, but the SDK's own empty schema has no `type`.
  const schema: JsonSchema =
    'properties' in known && known['type'] === undefined ? { type: 'object', ...known } : known;
  if (!validate) return schema;
  const standard = {
    version: 1 as const,
    vendor: 'ai',
    validate: async (value: unknown) => {
      const result = await validate(value);
      return result.success ? { value: result.value } : { issues: issuesOf(result.error) };
    },
    jsonSchema: { input: () => schema, output: () => schema },
  };
  return { '~standard': standard };
}

// An error of a schema library contains its issues or wraps them. Messages of other errors are for the log only.
function issuesOf(error: unknown): readonly Issue[] {
  const cause = isObject(error) ? error['cause'] : undefined;
  for (const each of [error, cause]) {
    const issues = isObject(each) ? each['issues'] : each;
    if (Array.isArray(issues) && issues.length > 0) return issues.map(issueOf);
  }
  return [{ message: 'does not fit the schema' }];
}

function issueOf(issue: unknown): Issue {
  const { message, path } = isObject(issue) ? issue : {};
  return {
    message: typeof message === 'string' ? message : 'does not fit',
    ...(Array.isArray(path) && { path: path as readonly PropertyKey[] }),
  };
}
