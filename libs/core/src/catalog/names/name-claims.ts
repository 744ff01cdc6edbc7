import type { ToolDefinition } from '../../tool/tool-definition.js';
import { foldedName, wireName } from '../../tool/tool-name.js';

/** Longest names that providers take. */
const WIRE_LENGTHS = [64, 128];

/** All that a tool lays claim to by its names. */
export interface NameClaims {
  readonly source: string;
  readonly owner: string;
  readonly namespace: string;
  /** Canonical name and aliases. */
  readonly names: readonly string[];
  /** Each of the names, folded. */
  readonly folded: readonly string[];
  /** What stands before any dot of a name, the longest first, by its folded form. */
  readonly above: ReadonlyMap<string, string>;
  /** Wire names that are not simply another spelling of the name. */
  readonly wires: readonly string[];
}

// A tool of a source that has not changed is looked at again at every change of another source.
const claims = new WeakMap<ToolDefinition, NameClaims>();

/** What a tool lays claim to; worked out once for each definition. */
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
