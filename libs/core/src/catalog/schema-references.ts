import { isObject, type JsonSchema } from '../tool/json.js';

/**
 * Parts of a schema when every reference is written out. The largest of 2,958 real schemas has 8,373, the next 4,181;
 * a kilobyte of references to references can stand for billions, and validating walks them all.
 */
const MAX_EXPANDED_PARTS = 10_000;

/** What is wrong with a schema's references, or undefined: they stay within the schema, lead somewhere and do not multiply. */
export function referenceFault(schema: JsonSchema): string | undefined {
  const sizes = new Map<object, number>();
  let fault: string | undefined;

  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // A schema may describe a tree: within itself it counts as nothing, since only the data can make it go on.
    sizes.set(node, 0);
    let size = Array.isArray(node) ? 0 : 1;
    for (const [key, child] of Object.entries(node)) {
      if (key === '$ref' && typeof child === 'string') size += sizeOf(targetOf(child));
      else if (key !== '$defs' && key !== 'definitions') size += sizeOf(child);
    }
    sizes.set(node, size);
    return size;
  };
  const targetOf = (reference: string): unknown => {
    if (!reference.startsWith('#')) {
      fault ??= 'refers to another document; only references within the schema are followed';
      return undefined;
    }
    const target = resolved(schema, reference);
    if (target === undefined) fault ??= 'has a reference that leads nowhere';
    return target;
  };

  const size = sizeOf(schema);
  // Definitions that nothing refers to are compiled all the same.
  for (const definitions of [schema['$defs'], schema['definitions']]) sizeOf(definitions);
  return (
    fault ??
    (size > MAX_EXPANDED_PARTS ? `has more than ${MAX_EXPANDED_PARTS} parts once references are followed` : undefined)
  );
}

/** What a JSON pointer or anchor names; an anchor stands for the whole schema, because it can be anywhere in it. */
function resolved(schema: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#/')) return schema;
  let node: unknown = schema;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
