import type { JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/schema-pointer.js';

/** Schemas within a schema, as they are written. */
const MAX_SUBSCHEMAS = 1_000;
/**
 * Parts of a schema when every reference is written out. The largest of 2,958 real schemas has 8,373, the next 4,181;
 * a kilobyte of references to references can stand for billions, and validating walks them all.
 */
const MAX_EXPANDED_PARTS = 5_000;

/** Keywords whose keys are names, so that a property called "const" is no keyword. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);
const DEFINITIONS = new Set(['$defs', 'definitions']);
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/**
 * What is wrong with a schema's references, or undefined: they are JSON pointers within the schema, lead somewhere and
 * do not multiply. None of the real schemas has anchors or schemas with an `$id` of their own inside.
 */
export function referenceFault(schema: JsonSchema): string | undefined {
  const schemaSizes = new Map<object, number>();
  const mapSizes = new Map<object, number>();
  let fault: string | undefined;
  let subschemas = 0;

  const sizeOf = (node: unknown, isMap = false): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const sizes = isMap ? mapSizes : schemaSizes;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // A schema may describe a tree: within itself it counts as nothing. What such a one costs, the data decides, and
    // the validator counts it.
    sizes.set(node, 0);
    let size = Array.isArray(node) ? 0 : 1;
    if (!isMap) subschemas += size;
    for (const [key, child] of Object.entries(node)) {
      if (isMap) size += sizeOf(child);
      else if (typeof child === 'string') size += sizeOf(targetOf(key, child, node === schema));
      else if (!DATA.has(key)) {
        const part = sizeOf(child, MAPS.has(key));
        // Definitions are checked where they stand and counted where they are used.
        if (!DEFINITIONS.has(key)) size += part;
      }
    }
    sizes.set(node, size);
    return size;
  };
  const targetOf = (key: string, text: string, atRoot: boolean): unknown => {
    if (key === '$dynamicRef' || key === '$recursiveRef') fault ??= `has a ${key}, which is not followed`;
    if (key === '$id' && !atRoot) fault ??= 'holds another schema with an $id of its own';
    if (key !== '$ref') return undefined;
    if (!text.startsWith('#')) {
      fault ??= 'refers to another document; only references within the schema are followed';
      return undefined;
    }
    if (text !== '#' && !text.startsWith('#/')) {
      fault ??= 'has a reference that is no JSON pointer; anchors are not followed';
      return undefined;
    }
    const target = schemaAt(schema, text);
    if (target === undefined) fault ??= 'has a reference that leads nowhere';
    return target;
  };

  const size = sizeOf(schema);
  if (subschemas > MAX_SUBSCHEMAS) fault ??= `has more than ${MAX_SUBSCHEMAS} schemas within`;
  return (
    fault ??
    (size > MAX_EXPANDED_PARTS ? `has more than ${MAX_EXPANDED_PARTS} parts once references are followed` : undefined)
  );
}
