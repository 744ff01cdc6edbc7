import { catalogOrder } from '../tool/snapshot/catalog-order.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { claimsOf } from './names/name-claims.js';
import { NameRegister } from './names/name-register.js';
import type { Ingested, IngestedTool, Refusal } from './ingest/ingest.js';

/** A tool that came too late for its name. */
export interface Clash extends Refusal {
  readonly owner: string;
}

/** The tools of all sources, and those that could not be taken up beside the others. */
export interface Merged {
  readonly tools: readonly IngestedTool[];
  readonly refused: readonly Clash[];
}

/**
 * The tools of one owner's sources in stable order (canonical name). A name or alias is refused when it is taken, by a tool of
 * the same owner or by one below, when it reads like one of another source, or when it stands in another source's namespace:
 * the source that was added first keeps it, so that nobody is shadowed silently, and nobody added later can take a tool away.
 *
 * @param below what these tools lie on: its names are settled first, so a tenant's own tool may not take one, whenever it arrived
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

/** The snapshot of merged tools on those below. */
export function snapshotOf(revision: number, tools: readonly IngestedTool[], below?: CatalogSnapshot): CatalogSnapshot {
  return new CatalogSnapshot(
    revision,
    tools.map(({ definition }) => definition),
    tools.map(({ executor }) => executor),
    below,
  );
}

// Names of a snapshot do not change; who has them is worked out once for everybody who lies on it.
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
