import { isObject, type JsonSchema } from './json.js';

/** What `#` or `#/…` names within a schema: any value, undefined when it leads nowhere. */
export function schemaAt(schema: JsonSchema, reference: string): unknown {
  // `#/` is the key '' by the book; the engine takes it for the whole schema.
  if (reference === '#' || reference === '#/') return schema;
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
