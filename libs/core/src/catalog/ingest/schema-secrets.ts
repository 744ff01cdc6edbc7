import { isObject, type JsonSchema } from '../../json/json.js';
import { hasSecret, isSecret, redactedText } from './secret-shapes.js';

// Keys whose children are named by the source, and so are no keywords whatever they are called.
const NAMING = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that only say something about a value; a schema means the same without them. */
const SAID_ONLY = new Set(['default', 'example', 'examples']);
const PROSE = new Set(['description', 'title', '$comment', 'markdownDescription']);

/** A schema that may be shown, and what had to be done for it. */
export interface SchemaWithoutSecrets {
  readonly schema: JsonSchema;
  readonly redacted: boolean;
}

/**
 * The schema without what looks like a credential: out of descriptions it is redacted, defaults and examples that hold one are
 * left out. What a schema demands is never touched, so it accepts and refuses what it did.
 */
export function schemaWithoutSecrets(schema: JsonSchema): SchemaWithoutSecrets {
  let redacted = false;
  const clean = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return mapped(value, (item) => clean(item, name));
    if (!isObject(value)) return value;
    return changed(value, (key, child) => cleanKeyword(key, child, name));
  };
  const cleanKeyword = (key: string, child: unknown, name: string): unknown => {
    if (SAID_ONLY.has(key)) {
      if (!holdsSecret(child, name)) return child;
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

/** Whether a schema demands a value that looks like a credential: it cannot be taken out, nor may a model be shown it. */
export function demandsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(demandsSecret);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, child]) => ((key === 'const' || key === 'enum') && holdsSecret(child, '')) || demandsSecret(child),
  );
}

function holdsSecret(value: unknown, key: string): boolean {
  if (typeof value === 'string') return key === '' ? hasSecret(value) : isSecret(value, key);
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item, key));
  return isObject(value) && Object.entries(value).some(([name, child]) => holdsSecret(child, name));
}

/** The same list where nothing in it changed. */
function mapped(list: readonly unknown[], of: (item: unknown) => unknown): readonly unknown[] {
  const items = list.map(of);
  return items.every((item, index) => item === list[index]) ? list : items;
}

/** The same object where nothing in it changed; a part that became undefined is left out. */
function changed(
  value: Record<string, unknown>,
  of: (key: string, child: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, child]) => [key, of(key, child)] as const);
  if (entries.every(([key, child]) => child === value[key])) return value;
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined));
}
