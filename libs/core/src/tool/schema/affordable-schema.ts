import { isObject, type JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/schema-pointer.js';

/**
 * Parts of a schema that are compiled; patterns, references and every fourth check of one part count again. Compiling takes
 * time for each part and cannot be interrupted.
 */
export const MAX_COMPILED_PARTS = 200;

/** Keywords whose members may be left out one by one: what is left accepts more, never less. */
const BY_NAME = new Set(['properties', '$defs', 'definitions']);
const BY_PLACE = new Set(['allOf', 'prefixItems']);
const SINGLE = new Set(['items', 'additionalProperties', 'additionalItems']);
/** Keywords that are kept or left out as a whole: without a member they could refuse what the schema accepts. */
const WHOLE = new Set([
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'patternProperties',
  'propertyNames',
  'dependencies',
  'dependentSchemas',
  'dependentRequired',
]);

/**
 * A schema that compiles in a bounded time: itself, or where it has more than 200 parts what fits of it, from its root
 * downwards. It accepts everything that the schema accepts; what is left out is for the executor to check.
 */
export function affordableSchema(schema: JsonSchema): JsonSchema {
  if (partsOf(schema, MAX_COMPILED_PARTS) <= MAX_COMPILED_PARTS) return schema;
  let left = MAX_COMPILED_PARTS;
  const kept: Record<string, unknown>[] = [];
  // A queue: what is near the root is kept first.
  const queue: (() => void)[] = [];
  const keep = (node: unknown, into: Record<string | number, unknown>, key: string | number): void => {
    into[key] = isObject(node) ? {} : node;
    if (isObject(node)) queue.push(() => take(node, into[key] as Record<string, unknown>));
  };
  const take = (node: Record<string, unknown>, copy: Record<string, unknown>): void => {
    const cost = ownParts(node);
    if (cost > left) return;
    left -= cost;
    kept.push(copy);
    const { patternProperties } = node;
    const fits = fitsWhole(patternProperties);
    for (const [keyword, value] of Object.entries(fits ? { patternProperties, ...node } : node)) {
      if (keyword.startsWith('unevaluated') || keyword.startsWith('$dynamic') || keyword.startsWith('$recursive'))
        continue;
      if (BY_NAME.has(keyword) && isObject(value)) {
        const members: Record<string, unknown> = (copy[keyword] = {});
        for (const [name, member] of Object.entries(value)) keep(member, members, name);
      } else if ((BY_PLACE.has(keyword) || keyword === 'items') && Array.isArray(value)) {
        const members: unknown[] = (copy[keyword] = []);
        for (const [place, member] of value.entries())
          keep(member, members as unknown as Record<number, unknown>, place);
      } else if (SINGLE.has(keyword)) {
        // Which properties are additional depends on the patterns.
        if (keyword !== 'additionalProperties' || fits) keep(value, copy, keyword);
      } else if (WHOLE.has(keyword)) {
        if (value === undefined || !fitsWhole(value)) continue;
        left -= partsOf(value, left);
        copy[keyword] = value;
      } else copy[keyword] = value;
    }
  };
  const fitsWhole = (value: unknown) => partsOf(value, left) <= left && !JSON.stringify(value ?? 0).includes('"$ref"');
  const root: Record<string, unknown> = {};
  keep(schema, root, 'root');
  for (const next of queue) next();
  const pruned = root['root'] as JsonSchema;
  // A reference to what has been left out leads nowhere.
  for (const node of kept) {
    if ('$ref' in node && schemaAt(pruned, String(node['$ref'])) === undefined) delete node['$ref'];
  }
  return pruned;
}

/** Keywords that hold values. */
const VALUES = new Set(['enum', 'required', 'const', 'default', 'examples']);

/** Checks of a value that become code of their own. */
const CHECKS = new Set([
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'enum',
  'const',
]);
/** Names or members of a list that cost as much as a part. */
const LISTED = 16;

function ownParts(node: object): number {
  const checks = Object.keys(node).filter((keyword) => CHECKS.has(keyword)).length;
  return 1 + Math.floor(checks / 4) + ('pattern' in node ? 1 : 0) + ('$ref' in node ? 1 : 0);
}

/** Objects and lists within a value, counted until there are more than `limit`. */
function partsOf(value: unknown, limit: number): number {
  const found = [value];
  let parts = 0;
  for (const item of found) {
    if (typeof item !== 'object' || item === null) continue;
    parts += Array.isArray(item) ? 1 + Math.floor(item.length / LISTED) : ownParts(item);
    if (parts > limit) break;
    for (const [keyword, child] of Object.entries(item)) if (!VALUES.has(keyword)) found.push(child);
  }
  return parts;
}
