import { claimsOf } from './name-claims.js';
import { NameRegister } from './name-register.js';
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
 * All sources' tools in stable order (owner, then canonical name). A name or alias is refused when it is taken, by a shared
 * tool or by the same owner's, when it reads like one of another source, or when it stands in another source's namespace:
 * the source that was added first keeps it, so that nobody is shadowed silently, and nobody added later can take a tool away.
 */
export function mergeSources(sources: readonly Pick<Ingested, 'tools'>[]): Merged {
  const tools: IngestedTool[] = [];
  const refused: Clash[] = [];
  const all = sources.flatMap((source) => source.tools);
  const shared = new NameRegister();
  const registers = new Map([['', shared]]);
  // Shared names are settled first: a tenant's own tool may not take one, whenever it arrived.
  for (const tool of [...all.filter(isShared), ...all.filter((candidate) => !isShared(candidate))]) {
    const { name, owner, source } = tool.definition;
    const own = registers.get(owner) ?? new NameRegister();
    registers.set(owner, own);
    const claims = claimsOf(tool.definition);
    const reason = own.clash(claims) ?? (own === shared ? undefined : shared.clash(claims));
    if (reason !== undefined) {
      refused.push({ source, owner, name, code: 'DUPLICATE_TOOL', reason });
      continue;
    }
    own.take(claims);
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
