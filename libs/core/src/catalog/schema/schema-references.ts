import type { JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/json-pointer.js';

const MAX_SUBSCHEMAS = 1_000;
/**
 * Maximum number of parts with every reference expanded. The largest of 2,958 real schemas has 8,373, the next 4,181. A
 * kilobyte of nested references can expand to billions, and validation visits them all.
 */
const MAX_EXPANDED_PARTS = 5_000;
/** Keywords whose keys are names, so a property called "const" is not read as a keyword. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);
const DEFINITIONS = new Set(['$defs', 'definitions']);
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/**
 * The fault of a schema's references, or undefined. They must be JSON pointers within the schema, resolve, and not
 * multiply its size. None of the 2,958 real schemas has anchors or subschemas with their own `$id`.
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
    // A recursive schema counts 0 within itself. Its cost depends on the input, and the validator counts it.
    sizes.set(node, 0);
    let size = Array.isArray(node) ? 0 : 1;
    if (!isMap) subschemas += size;
    for (const [key, child] of Object.entries(node)) {
      if (isMap) size += sizeOf(child);
      else if (typeof child === 'string') size += sizeOf(targetOf(key, child, node === schema));
      else if (!DATA.has(key)) {
        const part = sizeOf(child, MAPS.has(key));
        // Definitions are checked here and counted where they are used.
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
