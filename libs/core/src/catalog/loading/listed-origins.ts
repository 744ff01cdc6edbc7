import { isObject, type JsonObject } from '../../json/json.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { SourceLimits, ToolSource } from '../../tool/tool-source.js';
import { checkedOrigin, type CheckedOrigin } from '../pinning/tool-origin.js';
import type { WatchedTool } from '../pinning/watched-tool.js';

/** What one load says of its tools, by own name. */
export interface ListedOrigins {
  readonly origins: ReadonlyMap<string, JsonObject>;
  /** Those that cannot be compared with anything, and what is to be said of them. */
  readonly odd: ReadonlyMap<string, WatchedTool>;
}

const MAX_NAME = 512;

/** Copies of all origins within bounds, with a pause at each; a name that is listed twice has none, because it could be either. */
export function* listedOrigins(
  source: ToolSource,
  declarations: readonly ToolDeclaration[],
  limits: Required<SourceLimits>,
): Generator<void, ListedOrigins> {
  const origins = new Map<string, JsonObject>();
  const odd = new Map<string, WatchedTool>();
  for (const declaration of declarations) {
    yield;
    // Without a name it is refused at ingestion.
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

function originOf(source: ToolSource, declaration: ToolDeclaration, limits: Required<SourceLimits>): CheckedOrigin {
  if (declaration.name.length > MAX_NAME) return { fault: `the name is longer than ${MAX_NAME} characters` };
  return checkedOrigin(source, declaration, limits);
}
