import { ToolSearchError } from '@tool-search/core';
import type { HostileQuery } from '../datasets/hostile-queries.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

/** Cost of one hostile query and its result: the number of hits, or the error code. */
export interface HostileAnswer {
  readonly query: string;
  readonly ms: number;
  readonly blockMs: number;
  readonly outcome: number | string;
}

/** Cost of all hostile queries for one engine. */
export interface HostileCost {
  readonly slowestMs: number;
  readonly longestBlockMs: number;
  readonly answers: readonly HostileAnswer[];
}

/** Runs every query once. Patterns run only if the engine accepts patterns from callers. */
export async function hostileCost(
  engine: SearchEngine,
  words: readonly HostileQuery[],
  patterns: readonly HostileQuery[],
): Promise<HostileCost> {
  const answers: HostileAnswer[] = [];
  const ask = async (query: string, answer: () => Promise<number>): Promise<void> => {
    const { value, ms, blockMs } = await timed(() => answer().catch(codeOf));
    answers.push({ query, ms, blockMs, outcome: value });
  };
  for (const { name, text } of words) await ask(name, async () => (await engine.search(text, 10)).names.length);
  for (const { name, text } of engine.match ? patterns : []) await ask(name, async () => engine.match?.(text, 10) ?? 0);
  return {
    slowestMs: Math.max(...answers.map(({ ms }) => ms)),
    longestBlockMs: Math.max(...answers.map(({ blockMs }) => blockMs)),
    answers,
  };
}

function codeOf(error: unknown): string {
  return error instanceof ToolSearchError ? error.code : String(error);
}
