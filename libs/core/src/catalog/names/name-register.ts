import { foldedName } from '../../tool/tool-name.js';
import type { NameClaims } from './name-claims.js';

/** Who has a name, and which one exactly. */
interface Holder {
  readonly name: string;
  readonly claims: NameClaims;
}

/** Names, as far as one owner's tools have taken them. */
export class NameRegister {
  readonly #exact = new Map<string, Holder>();
  readonly #folded = new Map<string, Holder>();
  readonly #wires = new Map<string, Holder>();
  readonly #namespaces = new Map<string, Holder>();

  /** Why a tool may not have its names beside those that are taken, or undefined. */
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

  /** Takes a tool's names; the first one who has a folded name or a namespace keeps it. */
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
 * Whether a namespace is another source's as well because both were given it, letter by letter: an operator may put two
 * sources under one roof. Nobody but its owner can do that for a tenant's source, so it never shares with others' tools.
 */
function isShared(holder: Holder, prefix: string, claims: NameClaims): boolean {
  return (
    holder.claims.owner === claims.owner && holder.name === prefix && `${claims.namespace}.`.startsWith(`${prefix}.`)
  );
}
