import { TimeSlicer } from '../../async/time-slicer.js';
import { addTo } from '../../collections/records.js';
import { type CatalogSnapshot, isOwnedBy } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { foldedName, isLegalName, wireName } from '../../tool/tool-name.js';
import { claimsOf, WIRE_LENGTHS } from './name-register.js';

type IdsByName = ReadonlyMap<string, readonly number[]>;

const SLICE_MS = 4;
const STEP = 200;

/**
 * Dense ids of the tools of a snapshot by names that are not their own, but by which a list shows them, or that read
 * like theirs. Nobody may call a tool by them: they identify the tool of a refused call.
 */
class SpelledNames {
  // Snapshots are immutable. Only those are indexed in which somebody has called a name that no visible tool has.
  readonly #ofSnapshots = new WeakMap<CatalogSnapshot, Promise<IdsByName>>();

  /** @param namesOf the names that a tool is found by */
  constructor(private readonly namesOf: (tool: ToolDefinition) => readonly string[]) {}

  /** The tools that a tenant could see, by one of these names. */
  async find(snapshot: CatalogSnapshot, name: string, tenantId: string): Promise<readonly number[]> {
    const found: number[] = [];
    for (let layer: CatalogSnapshot | undefined = snapshot; layer; layer = layer.below) {
      let ids = this.#ofSnapshots.get(layer);
      if (!ids) this.#ofSnapshots.set(layer, (ids = new TimeSlicer(SLICE_MS).run(this.#idsOf(layer))));
      found.push(...((await ids).get(name) ?? []));
    }
    return found.filter((id) => isOwnedBy(snapshot.at(id), tenantId));
  }

  *#idsOf({ own, below }: CatalogSnapshot): Generator<undefined, IdsByName> {
    const first = below?.size ?? 0;
    const ids = new Map<string, number[]>();
    for (const [index, tool] of own.entries()) {
      if (index % STEP === STEP - 1) yield;
      for (const name of this.namesOf(tool)) addTo(ids, name, first + index);
    }
    return ids;
  }
}

const wires = new SpelledNames(({ name }) => [...new Set(WIRE_LENGTHS.map((length) => wireName(name, length)))]);
const spellings = new SpelledNames((tool) => claimsOf(tool).folded);
const bare = new SpelledNames(({ name, namespace }) => (namespace === '' ? [] : [name.slice(namespace.length + 1)]));

/** Dense id of the tool whose wire name this is, or whose name reads alike; undefined if several match. */
export async function spelledId(snapshot: CatalogSnapshot, name: string, tenantId: string) {
  if (!isLegalName(name)) return undefined;
  const exact = await wires.find(snapshot, name, tenantId);
  const alike = await spellings.find(snapshot, foldedName(name), tenantId);
  if (exact.length === 1) return exact[0];
  return alike.length === 1 ? alike[0] : undefined;
}

/** Dense ids of the tools that have this name within their namespaces. */
export function bareNameIds(snapshot: CatalogSnapshot, name: string, tenantId: string): Promise<readonly number[]> {
  return bare.find(snapshot, name, tenantId);
}
