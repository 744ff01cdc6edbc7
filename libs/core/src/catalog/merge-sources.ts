import type { Ingested, IngestedTool, Refusal } from './ingest.js';

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
 * All sources' tools in stable order (owner, then canonical name). A name or alias that is already taken, by a shared
 * tool or by the same owner's, is refused: the source that was added first keeps it, so that nobody is shadowed silently.
 */
export function mergeSources(sources: readonly Pick<Ingested, 'tools'>[]): Merged {
  const tools: IngestedTool[] = [];
  const refused: Clash[] = [];
  const all = sources.flatMap((source) => source.tools);
  // Shared names are settled first: a tenant's own tool may not take one, whenever it arrived.
  const taken = new Map<string, Set<string>>([['', new Set()]]);
  for (const tool of [...all.filter(isShared), ...all.filter((candidate) => !isShared(candidate))]) {
    const { name, aliases, owner, source } = tool.definition;
    const own = taken.get(owner) ?? new Set();
    taken.set(owner, own);
    const clash = [name, ...aliases].find((candidate) => own.has(candidate) || taken.get('')?.has(candidate));
    if (clash !== undefined) {
      refused.push({ source, owner, name, code: 'DUPLICATE_TOOL', reason: `another source already brought ${clash}` });
      continue;
    }
    for (const each of [name, ...aliases]) own.add(each);
    tools.push(tool);
  }
  tools.sort(
    (left, right) =>
      compare(left.definition.owner, right.definition.owner) || compare(left.definition.name, right.definition.name),
  );
  return { tools, refused };
}

function isShared(tool: IngestedTool): boolean {
  return tool.definition.owner === '';
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
