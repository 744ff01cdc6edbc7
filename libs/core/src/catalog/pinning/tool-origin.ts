import { depthOf, isObject, type JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { SourceLimits, ToolSource } from '../../tool/tool-source.js';

/** An origin that is no larger than it may be, or why it is not. */
export type CheckedOrigin = { readonly origin: JsonObject } | { readonly fault: string };

/** Bytes of a whole definition or origin, in multiples of what one schema may have. */
export const DEFINITION_SIZE = 4;
// Levels around a schema: the tool, its list of variants, what a server says of itself.
const LEVELS_AROUND = 16;

/** A copy of what the source says of a tool, bounded in depth and size. */
export function checkedOrigin(
  source: ToolSource,
  declaration: ToolDeclaration,
  { schemaBytes, schemaDepth }: Required<SourceLimits>,
): CheckedOrigin {
  const said = saidOf(source, declaration);
  const maxDepth = schemaDepth + LEVELS_AROUND;
  // Before it is written as text: a text of what is deep enough would exhaust the stack.
  if (depthOf(said, maxDepth) > maxDepth)
    return { fault: `what the source says of it is deeper than ${maxDepth} levels` };
  const json = written(said);
  if (json === undefined) return { fault: 'what the source says of it is no JSON' };
  const maxBytes = DEFINITION_SIZE * schemaBytes;
  if (Buffer.byteLength(json) > maxBytes)
    return { fault: `what the source says of it is larger than ${maxBytes} bytes` };
  return { origin: JSON.parse(json) as JsonObject };
}

/** SHA-256 (hex) of an origin. */
export function fingerprintOf(origin: JsonObject): string {
  return stableHash(origin);
}

/** A declaration from its own origin, for a source whose declarations are all that it says. */
export function declared(origin: JsonObject, declaration?: ToolDeclaration): ToolDeclaration {
  const { validate } = declaration ?? {};
  return { ...(origin as unknown as ToolDeclaration), ...(validate && { validate }) };
}

// Of a list from the wire all is JSON; a source in code may say anything.
function written(said: object): string | undefined {
  try {
    return JSON.stringify(said);
  } catch {
    return undefined;
  }
}

function saidOf(source: ToolSource, declaration: ToolDeclaration): object {
  // Without a way back to declarations what is volatile could not be left out of them.
  if (source.restore && isObject(declaration.origin)) return declaration.origin;
  const { validate: _validate, origin: _origin, ...said } = declaration;
  return said;
}
