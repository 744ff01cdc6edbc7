import { ToolSearchError } from '@tool-search/core';
import type { HostileQuery } from '../datasets/hostile-queries.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

/** What one hostile query cost an engine and how it ended: the number of hits, or the code of the refusal. */
export interface HostileAnswer {
  readonly query: string;
  readonly ms: number;
  readonly blockMs: number;
  readonly outcome: number | string;
}

/** All hostile queries to one engine. */
export interface HostileCost {
  readonly slowestMs: number;
  readonly longestBlockMs: number;
  readonly answers: readonly HostileAnswer[];
}

/** Asks everything once; patterns only where the engine matches patterns that others wrote. */
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
