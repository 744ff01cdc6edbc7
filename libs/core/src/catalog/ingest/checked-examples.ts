import { isObject, type JsonObject } from '../../json/json.js';
import type { InputCheck, ToolDeclaration, ToolExample } from '../../tool/tool-definition.js';
import { redactSecrets } from './secret-shapes.js';

const MAX_EXAMPLES = 10;

export interface CheckedExamples {
  readonly examples: readonly ToolExample[];
  /** Some did not fit the input schema and were dropped. */
  readonly misfit: boolean;
  /** Some contained what looks like a credential; it was replaced. */
  readonly redacted: boolean;
}

/** The examples that a schema gives for the whole input, for a tool that declares none. */
export function schemaExamples(schema: unknown): ToolDeclaration['examples'] {
  const examples: unknown = isObject(schema) ? schema['examples'] : undefined;
  if (!Array.isArray(examples)) return [];
  return examples
    .slice(0, MAX_EXAMPLES)
    .flatMap((args: unknown) => (isObject(args) ? { args: args as JsonObject } : []));
}

/**
 * At most ten examples that fit the schema. Anything that looks like a credential is redacted, because models copy
 * examples.
 */
export function checkedExamples(
  declared: ToolDeclaration['examples'],
  validate: (input: unknown) => InputCheck,
): CheckedExamples {
  if (declared === undefined || declared.length === 0) return { examples: [], misfit: false, redacted: false };
  const examples: ToolExample[] = [];
  let misfit = false;
  let redacted = false;
  for (const { args, description, tags } of declared.slice(0, MAX_EXAMPLES)) {
    const check = validate(args);
    if (!('value' in check)) {
      misfit = true;
      continue;
    }
    const safe = redactSecrets(args);
    redacted ||= safe.redacted;
    examples.push({ args: safe.args, ...(description !== undefined && { description }), tags: [...new Set(tags)] });
  }
  return { examples, misfit, redacted };
}
