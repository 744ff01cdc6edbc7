import { isObject } from '@tool-search/core/internal';

const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords that hold one schema or a list of schemas; below, those that hold schemas by name. */
const SCHEMAS: ReadonlySet<string> = new Set(
  (
    'items prefixItems contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames ' +
    'additionalItems oneOf anyOf allOf not if then else'
  ).split(' '),
);
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
const MAX_DEPTH = 64;
/**
 * Headers that carry an identity or belong to the connection. Headers of tools are sent with the prefix `Mcp-Param-`,
 * but a gateway that strips the prefix would let a model's argument replace the real header.
 */
const FORBIDDEN = new RegExp(
  '^(authorization|proxy-.*|cookie2?|set-cookie2?|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|' +
    'content-length|content-type|content-encoding|expect|forwarded|via|x-forwarded-.*|x-real-ip|mcp-.*|x-api-key|' +
    'api-key|.*(^|[-_])(token|secret|password|credentials?))$',
  'i',
);

/**
 * Finds faults in the arguments that a server wants as HTTP headers (`x-mcp-header`, since revision 2026-07-28).
 * Returns a description of the first fault, or undefined; a tool with a fault must be left out. The name must be a
 * token, unique ignoring case, on a string, integer or boolean that is reached through `properties` only. An additional
 * rule, not part of the protocol: it must not name a credential or a header of the connection.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  const names = new Set<string>();
  const look = (schema: unknown, isReachable: boolean, depth: number): string | undefined => {
    // The catalog rejects deeper schemas.
    if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
    if (Object.hasOwn(schema, KEYWORD)) {
      const fault = isReachable && depth > 0 ? nameFault(schema, names) : 'is not on a property of the arguments';
      if (fault !== undefined) return `${KEYWORD} ${fault}`;
    }
    for (const keyword in schema) {
      const value = schema[keyword];
      if (typeof value !== 'object' || value === null) continue;
      const isReachableBelow = isReachable && keyword === 'properties';
      for (const part of partsOf(keyword, value)) {
        const fault = look(part, isReachableBelow, depth + 1);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  };
  return look(inputSchema, true, 0);
}

function partsOf(keyword: string, value: object): readonly unknown[] {
  if (NAMED_SCHEMAS.has(keyword)) return isObject(value) ? Object.values(value) : [];
  if (!SCHEMAS.has(keyword)) return [];
  return Array.isArray(value) ? value : [value];
}

function nameFault(schema: Record<string, unknown>, names: Set<string>): string | undefined {
  const name = schema[KEYWORD];
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'is no name that a header may have';
  if (!TYPES.has(schema['type'])) return 'is on something that is no text, integer or boolean';
  if (FORBIDDEN.test(name)) return 'names a header that no argument may set';
  if (names.has(name.toLowerCase())) return 'names the same header twice';
  names.add(name.toLowerCase());
  return undefined;
}
