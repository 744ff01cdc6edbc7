import { isObject, type JsonObject } from '../../json/json.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { LoadLimits } from './source-limits.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { checkedOrigin, type CheckedOrigin, type WatchedTool } from '../pinning/tool-origin.js';

export interface ListedOrigins {
  readonly origins: ReadonlyMap<string, JsonObject>;
  /** Tools that cannot be compared with an accepted definition, and the reason. */
  readonly odd: ReadonlyMap<string, WatchedTool>;
}

const MAX_NAME = 512;

/** Copies all origins, within the limits; yields after each. A name that is listed twice is ambiguous and has none. */
export function* listedOrigins(
  source: ToolSource,
  declarations: readonly ToolDeclaration[],
  limits: LoadLimits,
): Generator<void, ListedOrigins> {
  const origins = new Map<string, JsonObject>();
  const odd = new Map<string, WatchedTool>();
  for (const declaration of declarations) {
    yield;
    // Ingestion refuses a tool without a name.
    if (!isObject(declaration) || typeof declaration.name !== 'string') continue;
    const { name } = declaration;
    if (origins.has(name) || odd.has(name)) {
      odd.set(name, { suspicion: 'the source lists this name more than once' });
      continue;
    }
    const checked = originOf(source, declaration, limits);
    if ('fault' in checked) odd.set(name, checked);
    else origins.set(name, checked.origin);
  }
  for (const name of odd.keys()) origins.delete(name);
  return { origins, odd };
}

function originOf(source: ToolSource, declaration: ToolDeclaration, limits: LoadLimits): CheckedOrigin {
  if (declaration.name.length > MAX_NAME) return { fault: `the name is longer than ${MAX_NAME} characters` };
  return checkedOrigin(source, declaration, limits);
}
