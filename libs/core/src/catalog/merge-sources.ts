import { catalogOrder, CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { claimsOf, NameRegister } from './names/name-register.js';
import type { Ingested, IngestedTool, Refusal } from './ingest/ingest.js';

export interface Clash extends Refusal {
  readonly owner: string;
}

export interface Merged {
  readonly tools: readonly IngestedTool[];
  readonly refused: readonly Clash[];
}

/**
 * Merges the tools of one owner's sources, sorted by canonical name. A name or alias is refused if it is taken by a
 * tool of the same owner or of `below`, if it reads like a name of another source, or if it is in another source's
 * namespace. The source that was added first keeps it, so that no source can silently replace a tool of another.
 *
 * @param below the snapshot that these tools extend. Its names have priority: a tenant's tool cannot take one, even if
 *   it was added earlier
 */
export function mergeSources(sources: readonly Pick<Ingested, 'tools'>[], below?: CatalogSnapshot): Merged {
  const tools: IngestedTool[] = [];
  const refused: Clash[] = [];
  const own = new NameRegister();
  const registers = [own, ...namesBelow(below)];
  for (const tool of sources.flatMap((source) => source.tools)) {
    const { name, owner, source } = tool.definition;
    const claims = claimsOf(tool.definition);
    let reason: string | undefined;
    for (const register of registers) reason ??= register.clash(claims);
    if (reason !== undefined) {
      refused.push({ source, owner, name, code: 'DUPLICATE_TOOL', reason });
      continue;
    }
    own.take(claims);
    tools.push(tool);
  }
  return { tools: tools.sort((left, right) => catalogOrder(left.definition, right.definition)), refused };
}

export function snapshotOf(revision: number, tools: readonly IngestedTool[], below?: CatalogSnapshot): CatalogSnapshot {
  return new CatalogSnapshot(
    revision,
    tools.map(({ definition }) => definition),
    tools.map(({ executor }) => executor),
    below,
  );
}

// Names of a snapshot do not change, so the register is built once for all tenants that extend it.
const registers = new WeakMap<CatalogSnapshot, NameRegister>();

function namesBelow(snapshot: CatalogSnapshot | undefined): readonly NameRegister[] {
  if (!snapshot) return [];
  let names = registers.get(snapshot);
  if (!names) {
    registers.set(snapshot, (names = new NameRegister()));
    for (const tool of snapshot.own) names.take(claimsOf(tool));
  }
  return [...namesBelow(snapshot.below), names];
}
