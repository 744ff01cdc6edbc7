import { foldedName, wireName } from '../../tool/tool-name.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** Maximum name lengths of the providers. */
export const WIRE_LENGTHS = [64, 128];

interface NameClaims {
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
  /** Of a resource or a template: two sources cannot both serve it. */
  readonly uri: string | undefined;
}

// Cached: a change of one source merges the tools of all unchanged sources again.
const claims = new WeakMap<ToolDefinition, NameClaims>();

export function claimsOf(definition: ToolDefinition): NameClaims {
  let known = claims.get(definition);
  if (!known) claims.set(definition, (known = worked(definition)));
  return known;
}

function worked({ name, aliases, namespace, source, owner, uri }: ToolDefinition): NameClaims {
  const names = [name, ...aliases];
  const above = new Map<string, string>();
  for (const each of names) {
    for (let dot = each.lastIndexOf('.'); dot > 0; dot = each.lastIndexOf('.', dot - 1)) {
      above.set(foldedName(each.slice(0, dot)), each.slice(0, dot));
    }
  }
  const spelled = name.replaceAll('.', '__');
  const wires = WIRE_LENGTHS.map((length) => wireName(name, length)).filter((wire) => wire !== spelled);
  return { source, owner, namespace, names, folded: names.map(foldedName), above, wires: [...new Set(wires)], uri };
}

interface Holder {
  readonly name: string;
  readonly claims: NameClaims;
}

export class NameRegister {
  readonly #exact = new Map<string, Holder>();
  readonly #folded = new Map<string, Holder>();
  readonly #wires = new Map<string, Holder>();
  readonly #namespaces = new Map<string, Holder>();
  readonly #uris = new Map<string, Holder>();

  /** Why a tool's names conflict with the taken ones; undefined if they do not. */
  clash(claims: NameClaims): string | undefined {
    for (const [index, name] of claims.names.entries()) {
      const same = this.#exact.get(name);
      if (same) return `${same.name} is already a name of source ${same.claims.source}`;
      const alike = this.#folded.get(claims.folded[index] ?? '');
      if (alike && !isSameSource(alike.claims, claims)) {
        return `its name reads like ${alike.name} of source ${alike.claims.source}`;
      }
    }
    for (const [folded, prefix] of claims.above) {
      const holder = this.#namespaces.get(folded);
      if (holder && !isSameSource(holder.claims, claims) && !isShared(holder, prefix, claims)) {
        return `its name stands in the namespace ${holder.name} of source ${holder.claims.source}`;
      }
    }
    const served = claims.uri === undefined ? undefined : this.#uris.get(claims.uri);
    if (served) return `its URI is that of ${served.name} of source ${served.claims.source}`;
    const wire = claims.wires.map((each) => this.#wires.get(each)).find((each) => each !== undefined);
    return wire && `its short name is that of ${wire.name} of source ${wire.claims.source}`;
  }

  /** Registers a tool's names. The first holder of a folded name or a namespace keeps it. */
  take(claims: NameClaims): void {
    for (const [index, name] of claims.names.entries()) {
      const holder = { name, claims };
      this.#exact.set(name, holder);
      const folded = claims.folded[index] ?? '';
      if (!this.#folded.has(folded)) this.#folded.set(folded, holder);
    }
    for (const wire of claims.wires) this.#wires.set(wire, { name: claims.names[0] ?? '', claims });
    if (claims.uri !== undefined) this.#uris.set(claims.uri, { name: claims.names[0] ?? '', claims });
    const namespace = foldedName(claims.namespace);
    if (namespace !== '' && !this.#namespaces.has(namespace)) {
      this.#namespaces.set(namespace, { name: claims.namespace, claims });
    }
  }
}

function isSameSource(left: NameClaims, right: NameClaims): boolean {
  return left.source === right.source && left.owner === right.owner;
}

/**
 * Whether two sources share a namespace because both were given exactly the same one: an operator may combine two
 * sources in one namespace. Both must have the same owner, so a tenant's source never shares one with the tools of
 * others.
 */
function isShared(holder: Holder, prefix: string, claims: NameClaims): boolean {
  return (
    holder.claims.owner === claims.owner && holder.name === prefix && `${claims.namespace}.`.startsWith(`${prefix}.`)
  );
}
