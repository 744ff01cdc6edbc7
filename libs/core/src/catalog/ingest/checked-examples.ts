import { isObject, type JsonObject } from '../../json/json.js';
import type { InputCheck, ToolDeclaration, ToolExample } from '../../tool/tool-definition.js';
import { hasSecret, redactSecrets } from './secret-shapes.js';

const MAX_EXAMPLES = 10;

/** The examples that a schema gives for the whole input, for a tool that declares none. */
export function schemaExamples(schema: unknown): ToolDeclaration['examples'] {
  const examples: unknown = isObject(schema) ? schema['examples'] : undefined;
  if (!Array.isArray(examples)) return [];
  return examples
    .slice(0, MAX_EXAMPLES)
    .flatMap((args: unknown) => (isObject(args) ? { args: args as JsonObject } : []));
}

/** At most ten examples that fit the schema, redacted because models copy them. `misfit` names the first that does not. */
export function checkedExamples(declared: ToolDeclaration['examples'] = [], validate: (input: unknown) => InputCheck) {
  const examples: ToolExample[] = [];
  let misfit: string | undefined;
  let redacted = false;
  for (const [index, { args, description, tags }] of declared.slice(0, MAX_EXAMPLES).entries()) {
    const check = validate(args);
    if (!('value' in check)) {
      const [issue] = check.issues;
      misfit ??= `examples[${index}] does not fit the input schema${issue ? `: ${issue.path || 'args'} ${issue.message}` : ''}`;
      continue;
    }
    const safe = redactSecrets(args);
    redacted ||= safe.redacted;
    examples.push({ args: safe.args, ...(description !== undefined && { description }), tags: [...new Set(tags)] });
  }
  return { examples, misfit, redacted };
}

/** Distinct one-line queries, without those with a credential (`withheld`): they may be copied from a conversation. */
export function checkedQueries(declared: readonly string[] = []) {
  const lines = new Set(declared.map((query) => query.replace(/\s+/g, ' ').trim()));
  const queries = [...lines].filter((query) => query !== '' && !hasSecret(query));
  return { queries, withheld: [...lines].some(hasSecret) };
}
