import { setTimeout } from 'node:timers/promises';
import type { ToolDefinition } from '@tool-search/core';
import { collectGarbage } from './held-megabytes.js';
import { percentile } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';
import { timed } from './timed.js';

const ROUNDS = 3;
// An engine may store its index some time after it has answered.
const KEEP_MS = 1_000;

/** Time until the first answer of a new process that already has its tools: medians of three, in milliseconds. */
export interface RestartCost {
  readonly coldMs: number;
  /** With the data that the previous process stored. */
  readonly cachedMs: number;
}

/** @returns undefined for an engine that stores nothing; at the end the index is built */
export async function restartCost(
  engine: SearchEngine,
  tools: readonly ToolDefinition[],
  query: string,
): Promise<RestartCost | undefined> {
  if (!engine.restart) return undefined;
  const restart = async (): Promise<void> => engine.restart?.(tools);
  await restart();
  await setTimeout(KEEP_MS);
  const cold: number[] = [];
  const cached: number[] = [];
  const firstAnswer = async (start: () => Promise<void>): Promise<number> => {
    collectGarbage();
    const { ms } = await timed(async () => {
      await start();
      await engine.search(query, 10);
    });
    return ms;
  };
  for (let round = 0; round < ROUNDS; round++) {
    cold.push(await firstAnswer(() => engine.build(tools)));
    cached.push(await firstAnswer(restart));
  }
  return { coldMs: percentile(cold, 0.5), cachedMs: percentile(cached, 0.5) };
}
