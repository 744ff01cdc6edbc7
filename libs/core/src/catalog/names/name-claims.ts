import type { ToolDefinition } from '../../tool/tool-definition.js';
import { foldedName, wireName } from '../../tool/tool-name.js';

/** Maximum name lengths of the providers. */
const WIRE_LENGTHS = [64, 128];

/** All names that a tool occupies. */
export interface NameClaims {
  readonly source: string;
  readonly owner: string;
  readonly namespace: string;
  /** Canonical name and aliases. */
  readonly names: readonly string[];
  readonly folded: readonly string[];
  /** The part before each dot of a name, the longest first, by its folded form. */
  readonly above: ReadonlyMap<string, string>;
  /** Wire names with a digest, which are not just another spelling of the name. */
  readonly wires: readonly string[];
}

// Cached: a change of one source merges the tools of all unchanged sources again.
const claims = new WeakMap<ToolDefinition, NameClaims>();

/** The names that a tool occupies; computed once per definition. */
export function claimsOf(definition: ToolDefinition): NameClaims {
  let known = claims.get(definition);
  if (!known) claims.set(definition, (known = worked(definition)));
  return known;
}

function worked({ name, aliases, namespace, source, owner }: ToolDefinition): NameClaims {
  const names = [name, ...aliases];
  const above = new Map<string, string>();
  for (const each of names) {
    for (let dot = each.lastIndexOf('.'); dot > 0; dot = each.lastIndexOf('.', dot - 1)) {
      above.set(foldedName(each.slice(0, dot)), each.slice(0, dot));
    }
  }
  const spelled = name.replaceAll('.', '__');
  const wires = WIRE_LENGTHS.map((length) => wireName(name, length)).filter((wire) => wire !== spelled);
  return { source, owner, namespace, names, folded: names.map(foldedName), above, wires: [...new Set(wires)] };
}
