import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { FoundHit } from './tool-finder.js';

/** A tool that replaces another, with its place in the catalog. */
export interface Successor {
  readonly id: number;
  readonly tool: ToolDefinition;
  /** Whether a search of this kind may return it. */
  readonly isSearched: boolean;
}

/**
 * Hits with the successor of each deprecated tool directly before it, also where the search itself did not find the
 * successor. A successor has at least the score of the tool that it replaces, so scores still fall along the list.
 *
 * @param successorOf the successor of a deprecated tool that the caller may see, or undefined
 * @param limit most hits
 */
export function withSuccessorsFirst(
  hits: readonly FoundHit[],
  successorOf: (tool: ToolDefinition) => Successor | undefined,
  limit: number,
): readonly FoundHit[] {
  const successors = new Map(hits.map(({ id, tool }) => [id, successorOf(tool)]));
  if ([...successors.values()].every((each) => each === undefined)) return hits;
  const rest = new Map(hits.map((hit) => [hit.id, hit]));
  const ordered: FoundHit[] = [];
  const taken = new Set<number>();
  const take = (hit: FoundHit) => {
    if (taken.has(hit.id)) return;
    taken.add(hit.id);
    const next = successors.get(hit.id);
    const found = next && rest.get(next.id);
    // One that is not searched is listed anyway, so its place among the hits does not matter.
    if (next && !taken.has(next.id) && (found || next.isSearched)) take(replacing(next, hit, found));
    const similar = hit.similar.filter(({ name }) => name !== next?.tool.name);
    ordered.push({ ...hit, similar });
  };
  for (const hit of hits) take(hit);
  return ordered.slice(0, limit);
}

function replacing({ id, tool }: Successor, replaced: FoundHit, found: FoundHit | undefined): FoundHit {
  const queries = [...new Set([...(found?.queries ?? []), ...replaced.queries])].toSorted(
    (left, right) => left - right,
  );
  if (found) return { ...found, queries, score: Math.max(found.score, replaced.score) };
  return { id, tool, queries, score: replaced.score, match: replaced.match, similar: [] };
}
