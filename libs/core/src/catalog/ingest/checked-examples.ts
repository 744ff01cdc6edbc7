import { isObject, type JsonObject } from '../../json/json.js';
import type { InputCheck, ToolDeclaration, ToolExample } from '../../tool/tool-definition.js';
import { redactSecrets } from './secret-shapes.js';

const MAX_EXAMPLES = 10;

/** Examples that may be shown, and what had to be done for it. */
export interface CheckedExamples {
  readonly examples: readonly ToolExample[];
  /** Some did not fit the input schema and are left out. */
  readonly misfit: boolean;
  /** Some held what looks like a credential, which is replaced. */
  readonly redacted: boolean;
}

/** What a schema itself gives as examples of the whole input: those of a tool that declares none. */
export function schemaExamples(schema: unknown): ToolDeclaration['examples'] {
  const examples: unknown = isObject(schema) ? schema['examples'] : undefined;
  if (!Array.isArray(examples)) return [];
  return examples
    .slice(0, MAX_EXAMPLES)
    .flatMap((args: unknown) => (isObject(args) ? { args: args as JsonObject } : []));
}

/**
 * At most ten examples that fit the schema and hold nothing that looks like a credential: a model copies what it is shown.
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
