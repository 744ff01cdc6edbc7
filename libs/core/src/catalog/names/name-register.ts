import { foldedName } from '../../tool/tool-name.js';
import type { NameClaims } from './name-claims.js';

/** The tool that has a name, and the name in its exact form. */
interface Holder {
  readonly name: string;
  readonly claims: NameClaims;
}

/** The names that one owner's tools have taken. */
export class NameRegister {
  readonly #exact = new Map<string, Holder>();
  readonly #folded = new Map<string, Holder>();
  readonly #wires = new Map<string, Holder>();
  readonly #namespaces = new Map<string, Holder>();

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
