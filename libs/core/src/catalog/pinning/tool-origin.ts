import { depthOf, isObject, type JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { LoadLimits } from '../loading/source-limits.js';
import type { ToolSource } from '../../tool/tool-source.js';

export interface WatchedTool {
  readonly fingerprint?: string;
  readonly suspicion?: string;
  /** Epoch milliseconds. An older approval refers to an earlier definition. */
  readonly suspectSince?: number;
  readonly fault?: string;
}

export type CheckedOrigin = { readonly origin: JsonObject } | { readonly fault: string };

/** Maximum bytes of a whole definition or origin, as a multiple of `schemaBytes`. */
export const DEFINITION_SIZE = 4;
// Levels around a schema: the tool, its list of variants, a server's description of itself.
const LEVELS_AROUND = 16;

export function checkedOrigin(
  source: ToolSource,
  declaration: ToolDeclaration,
  { schemaBytes, schemaDepth }: LoadLimits,
): CheckedOrigin {
  const origin = declaredFields(source, declaration);
  const maxDepth = schemaDepth + LEVELS_AROUND;
  // Checked before it is serialized: a deeply nested value would overflow the stack.
  if (depthOf(origin, maxDepth) > maxDepth)
    return { fault: `what the source says of it is deeper than ${maxDepth} levels` };
  const json = written(origin);
  if (json === undefined) return { fault: 'what the source says of it is no JSON' };
  const maxBytes = DEFINITION_SIZE * schemaBytes;
  if (Buffer.byteLength(json) > maxBytes)
    return { fault: `what the source says of it is larger than ${maxBytes} bytes` };
  return { origin: JSON.parse(json) as JsonObject };
}

export function fingerprintOf(origin: JsonObject): string {
  return stableHash(origin);
}

/** Makes a declaration from an origin, for sources without `restore`. */
export function declared(origin: JsonObject, declaration?: ToolDeclaration): ToolDeclaration {
  const { validate } = declaration ?? {};
  return { ...(origin as unknown as ToolDeclaration), ...(validate && { validate }) };
}

// Origins from the network are always JSON; a source in code can return any value.
function written(origin: object): string | undefined {
  try {
    return JSON.stringify(origin);
  } catch {
    return undefined;
  }
}

function declaredFields(source: ToolSource, declaration: ToolDeclaration): object {
  // Without `restore`, volatile members of `origin` could not be removed from the declaration.
  if (source.restore && isObject(declaration.origin)) return declaration.origin;
  // Settings of the application are no part of what the source says.
  const { validate: _validate, origin: _origin, ...rest } = declaration;
  const { cache: _cache, invalidates: _invalidates, untrusted: _untrusted, ...origin } = rest;
  return origin;
}
