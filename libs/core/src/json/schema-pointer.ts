import { isObject, type JsonSchema } from './json.js';

/** Resolves `#` or `#/…` within a schema. Returns undefined if the pointer does not exist. */
export function schemaAt(schema: JsonSchema, reference: string): unknown {
  // By RFC 6901 `#/` is the key ''; Ajv reads it as the whole schema, and so does this.
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
