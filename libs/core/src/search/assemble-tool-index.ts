import type { ToolEvents } from '../tool/tool-event.js';
import { type DenseOptions, FusedToolIndex } from './dense/fused-tool-index.js';
import type { Embedder } from './embedder.js';
import { MemoryToolIndex } from './memory/memory-tool-index.js';
import type { SearchCache } from './search-cache.js';
import type { ToolIndex } from './tool-index.js';

/** Settings of the search engine itself. */
export interface EngineOptions {
  /** Keep what is costly to build over restarts, where a module provides a {@link SearchCache}. @default true */
  readonly cache?: boolean;
  /** Ranks by meaning as well as by words. @default none */
  readonly embedder?: Embedder;
  /** With an embedder: how much meaning counts, and how long it is waited for. */
  readonly dense?: DenseOptions;
}

/** What an application brings along. */
export interface EngineParts {
  /** Searches by words. @default the engine in memory */
  readonly index: ToolIndex | undefined;
  readonly cache: SearchCache | undefined;
  /** Told why the cache could not be read or written. @default nobody */
  readonly onCacheFault?: (fault: unknown) => void;
  readonly events: ToolEvents;
}

/** The search engine of an application: an index by words, and around it vectors where there is an embedder. */
export function assembleToolIndex(
  options: EngineOptions,
  { index, cache, onCacheFault, events }: EngineParts,
): ToolIndex {
  const kept = options.cache === false ? undefined : cache;
  const words = index ?? new MemoryToolIndex(kept ? { cache: kept, ...(onCacheFault && { onCacheFault }) } : {});
  return options.embedder ? new FusedToolIndex(words, options.embedder, options.dense, { cache: kept, events }) : words;
}
