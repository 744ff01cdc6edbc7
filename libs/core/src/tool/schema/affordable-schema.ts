import { isObject, type JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/json-pointer.js';

/** Most parts that are compiled, which cannot be interrupted: subschemas, patterns, references, every fourth check. */
export const MAX_COMPILED_PARTS = 200;
/** Keywords whose members can be dropped one by one: the rest accepts more values, never fewer. */
const BY_NAME = new Set(['properties', '$defs', 'definitions']);
const BY_PLACE = new Set(['allOf', 'prefixItems']);
const SINGLE = new Set(['items', 'additionalProperties', 'additionalItems']);
/** Keywords kept or dropped as a whole: without one member they could refuse values that the schema accepts. */
const WHOLE = new Set(
  `anyOf oneOf not if then else contains patternProperties propertyNames dependencies dependentSchemas
  dependentRequired`.split(/\s+/),
);

/**
 * A schema that compiles in bounded time: the schema itself, or, if it has more than 200 parts, as many of them as fit,
 * from its root downwards. The result accepts every value that the schema accepts; the dropped checks are left to the
 * executor.
 */
export function affordableSchema(schema: JsonSchema): JsonSchema {
  if (partsOf(schema, MAX_COMPILED_PARTS) <= MAX_COMPILED_PARTS) return schema;
  let left = MAX_COMPILED_PARTS;
  const kept: Record<string, unknown>[] = [];
  // A queue (breadth first) keeps the parts near the root.
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
        // Which properties are additional depends on the patterns, so without them this is dropped too.
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
  // Removes references to dropped parts: Ajv could not resolve them.
  for (const node of kept) {
    if ('$ref' in node && schemaAt(pruned, String(node['$ref'])) === undefined) delete node['$ref'];
  }
  return pruned;
}

/** Keywords that contain values, not subschemas. */
const VALUES = new Set(['enum', 'required', 'const', 'default', 'examples']);

/** Keywords for which Ajv generates code of their own. */
const CHECKS = new Set(
  `minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format minItems maxItems uniqueItems
  minProperties maxProperties required enum const`.split(/\s+/),
);
/** This many names or members of a list cost as much as one part. */
const LISTED = 16;

function ownParts(node: object): number {
  const checks = Object.keys(node).filter((keyword) => CHECKS.has(keyword)).length;
  return 1 + Math.floor(checks / 4) + ('pattern' in node ? 1 : 0) + ('$ref' in node ? 1 : 0);
}

/** Cost of a value in parts; stops counting when it exceeds `limit`. */
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
