import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCatalog } from '@tool-search/core';

type SourceStatus = ReturnType<ToolCatalog['sources']>[number];

const LOOK_EVERY_MS = 50;

/**
 * Waits until every source is loaded, and reports the missing ones every few seconds. Reloads a failed source once.
 * Terminates, because each load has a deadline.
 *
 * @throws Error with the names and reasons of sources that failed twice
 */
export async function waitForSources(
  catalog: Pick<ToolCatalog, 'sources' | 'refresh'>,
  say: (line: string) => void,
  sayEveryMs = 3000,
): Promise<void> {
  const started = performance.now();
  const progress = setInterval(() => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const missing = catalog.sources().filter(({ state }) => state !== 'ready');
    if (missing.length > 0) say(`waiting for ${missing.map(nameOf).join(', ')} (${seconds} s) …`);
  }, sayEveryMs);
  try {
    await loaded(catalog);
    const failed = catalog.sources().filter(({ state }) => state === 'degraded');
    await Promise.all(failed.map(({ source, owner }) => catalog.refresh(source, owner)));
    const lost = catalog.sources().filter(({ state }) => state === 'degraded');
    if (lost.length > 0) throw new Error(`The demo needs all its sources. ${lost.map(lossOf).join(' ')}`);
  } finally {
    clearInterval(progress);
  }
}

async function loaded(catalog: Pick<ToolCatalog, 'sources'>): Promise<void> {
  while (catalog.sources().some(({ state }) => state === 'loading')) await pause(LOOK_EVERY_MS);
}

function nameOf({ source, owner }: SourceStatus): string {
  return owner === '' ? source : `${source} of ${owner}`;
}

function lossOf(status: SourceStatus): string {
  return `${nameOf(status)} could not be loaded: ${status.reason ?? 'no reason was given'} (${status.code}).`;
}
