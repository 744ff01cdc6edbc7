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

/** @param tools sorted; the context items among them become the snapshot's `items` */
export function snapshotOf(revision: number, tools: readonly IngestedTool[], below?: CatalogSnapshot): CatalogSnapshot {
  const made = (own: readonly IngestedTool[], under: CatalogSnapshot | undefined, items?: CatalogSnapshot) =>
    new CatalogSnapshot(
      revision,
      own.map(({ definition }) => definition),
      own.map(({ executor }) => executor),
      under,
      items,
    );
  const items = tools.filter(({ definition }) => definition.kind !== undefined);
  if (items.length === 0) return made(tools, below);
  const isTool = ({ definition }: IngestedTool) => definition.kind === undefined;
  return made(tools.filter(isTool), below, made(items, below?.items));
}

/** Returns the tools and context items that a snapshot adds to the one below it. */
export function ownOf(snapshot: CatalogSnapshot): readonly IngestedTool[] {
  const { below, items } = snapshot;
  const of = (each: CatalogSnapshot) =>
    each.own.map((definition, index) => ({
      definition,
      executor: each.executorOf((each.below?.size ?? 0) + index),
    }));
  return [...of(snapshot), ...(items && items !== below?.items ? of(items) : [])];
}

// Names of a snapshot do not change, so the register is built once for all tenants that extend it.
const registers = new WeakMap<CatalogSnapshot, NameRegister>();

function namesBelow(snapshot: CatalogSnapshot | undefined): readonly NameRegister[] {
  if (!snapshot) return [];
  let names = registers.get(snapshot);
  if (!names) {
    registers.set(snapshot, (names = new NameRegister()));
    for (const tool of snapshot.own) names.take(claimsOf(tool));
    if (snapshot.items !== snapshot.below?.items)
      for (const item of snapshot.items?.own ?? []) names.take(claimsOf(item));
  }
  return [...namesBelow(snapshot.below), names];
}
