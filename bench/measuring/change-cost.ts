import type { ToolDefinition } from '@tool-search/core';
import { percentile } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';
import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';

const ROUNDS = 10;

/** Cost of applying a catalog in which one tool has changed: medians of ten, in milliseconds. */
export interface ChangeCost {
  readonly addMs: number;
  readonly editMs: number;
  readonly removeMs: number;
  /** The first search after a change. */
  readonly firstQueryMs: number;
  /** Longest block of the event loop during a change. */
  readonly blockMs: number;
}

/**
 * Measures changes. @returns undefined for an engine that must be rebuilt; at the end the original catalog is restored
 */
export async function changeCost(
  engine: SearchEngine,
  tools: readonly ToolDefinition[],
): Promise<ChangeCost | undefined> {
  if (!engine.change) return undefined;
  const times = { add: [] as number[], edit: [] as number[], remove: [] as number[], query: [] as number[] };
  let longestBlock = 0;
  const apply = async (kind: 'add' | 'edit' | 'remove', next: readonly ToolDefinition[], query: string) => {
    const change = engine.change?.(next);
    if (!change) return;
    const { ms, blockMs } = await timed(change);
    times[kind].push(ms);
    longestBlock = Math.max(longestBlock, blockMs);
    engine.see?.(1);
    times.query.push((await timed(() => engine.search(query, 10))).ms);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const model = tools[Math.floor(((round + 0.5) / ROUNDS) * tools.length)];
    if (!model) break;
    const added = newTool(model, round, 'a first wording');
    const edited = newTool(model, round, 'another wording of the same');
    const query = `${model.description.slice(0, 60)} wording`;
    await apply('add', sortedByName([...tools, added]), query);
    await apply('edit', sortedByName([...tools, edited]), query);
    await apply('remove', tools, query);
  }
  return {
    addMs: percentile(times.add, 0.5),
    editMs: percentile(times.edit, 0.5),
    removeMs: percentile(times.remove, 0.5),
    firstQueryMs: percentile(times.query, 0.5),
    blockMs: longestBlock,
  };
}

function newTool(model: ToolDefinition, round: number, words: string): ToolDefinition {
  return definitionOf({
    name: `newcomer_${round}`,
    namespace: model.namespace,
    description: `${model.description} ${words}`,
    tags: model.tags,
    inputSchema: model.inputSchema,
  });
}
