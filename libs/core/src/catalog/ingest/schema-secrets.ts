import { isObject, type JsonSchema } from '../../json/json.js';
import { hasRemoved } from '../../tool/source/removed-credential.js';
import { hasSecret, isSecret, redactedText } from './secret-shapes.js';

// Keys whose children are names chosen by the source, so they are not keywords.
const NAMING = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Annotations: removing them does not change what a schema accepts. */
const SAID_ONLY = new Set(['default', 'example', 'examples']);
/** Deeper schemas are refused. */
const MAX_DEPTH = 256;
const PROSE = new Set(['description', 'title', '$comment', 'markdownDescription']);

/**
 * Redacts descriptions, and drops defaults and examples with a credential, or of which a source has removed one: they are no
 * values that a caller could send. The schema accepts the same values.
 */
export function schemaWithoutSecrets(schema: JsonSchema) {
  let redacted = false;
  const clean = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return mapped(value, (item) => clean(item, name));
    if (!isObject(value)) return value;
    return changed(value, (key, child) => cleanKeyword(key, child, name));
  };
  const cleanKeyword = (key: string, child: unknown, name: string): unknown => {
    if (SAID_ONLY.has(key)) {
      if (!holdsSecret(child, name) && !lacksSecret(child, 0, true)) return child;
      redacted = true;
      return undefined;
    }
    if (PROSE.has(key) && typeof child === 'string') {
      const text = redactedText(child);
      redacted ||= text !== child;
      return text;
    }
    if (key === 'enum' || key === 'const') return child;
    return NAMING.has(key) && isObject(child) ? changed(child, (each, part) => clean(part, each)) : clean(child, name);
  };
  const cleaned = clean(schema, '') as JsonSchema;
  return { schema: redacted ? cleaned : schema, redacted };
}

/** Whether a schema requires what looks like a credential, which can neither be removed nor be shown to a model. */
export function demandsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(demandsSecret);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, child]) => ((key === 'const' || key === 'enum') && holdsSecret(child, '')) || demandsSecret(child),
  );
}

/**
 * Whether a source has removed a credential from what a schema accepts: from a name, a value or a pattern. Its server
 * then accepts something else than the schema says.
 */
export function lacksSecret(schema: unknown, depth = 0, isValue = false): boolean {
  if (typeof schema === 'string') return hasRemoved(schema);
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(schema)) return schema.some((item) => lacksSecret(item, depth + 1, isValue));
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(([key, child]) => {
    if (hasRemoved(key)) return true;
    if (isValue || key === 'enum' || key === 'const') return lacksSecret(child, depth + 1, true);
    if (SAID_ONLY.has(key) || PROSE.has(key) || key.startsWith('x-')) return false;
    if (!NAMING.has(key) || !isObject(child)) return lacksSecret(child, depth + 1);
    return Object.entries(child).some(([name, part]) => hasRemoved(name) || lacksSecret(part, depth + 2));
  });
}

function holdsSecret(value: unknown, key: string): boolean {
  if (typeof value === 'string') return key === '' ? hasSecret(value) : isSecret(value, key);
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item, key));
  return isObject(value) && Object.entries(value).some(([name, child]) => holdsSecret(child, name));
}

/** The same array if no item changed. */
function mapped(list: readonly unknown[], of: (item: unknown) => unknown): readonly unknown[] {
  const items = list.map(of);
  return items.every((item, index) => item === list[index]) ? list : items;
}

/** The same object if no member changed; members that became undefined are dropped. */
function changed(
  value: Record<string, unknown>,
  of: (key: string, child: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, child]) => [key, of(key, child)] as const);
  if (entries.every(([key, child]) => child === value[key])) return value;
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined));
}
