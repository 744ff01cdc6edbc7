import type { ToolEvents } from '../tool/tool-event.js';
import { type DenseOptions, FusedToolIndex } from './dense/fused-tool-index.js';
import type { Embedder } from './embedder.js';
import { MemoryToolIndex } from './memory/memory-tool-index.js';
import type { SearchCache } from './search-cache.js';
import type { ToolIndex } from './tool-index.js';

/** Settings of the search engine. */
export interface EngineOptions {
  /** Keeps the index and the vectors across restarts if a module provides a {@link SearchCache}. @default true */
  readonly cache?: boolean;
  /** Adds ranking by meaning to ranking by words. @default none */
  readonly embedder?: Embedder;
  /** With an embedder: the weight of meaning, and how long a search waits for a vector. */
  readonly dense?: DenseOptions;
}

/** Parts that the application provides. */
export interface EngineParts {
  /** The word index. @default {@link MemoryToolIndex} */
  readonly index: ToolIndex | undefined;
  readonly cache: SearchCache | undefined;
  /** Called with the reason when the cache cannot be read or written. */
  readonly onCacheFault?: (fault: unknown) => void;
  readonly events: ToolEvents;
}

/** Builds the application's search engine: a word index, combined with vectors if there is an embedder. */
export function assembleToolIndex(
  options: EngineOptions,
  { index, cache, onCacheFault, events }: EngineParts,
): ToolIndex {
  const kept = options.cache === false ? undefined : cache;
  const words = index ?? new MemoryToolIndex(kept ? { cache: kept, ...(onCacheFault && { onCacheFault }) } : {});
  return options.embedder ? new FusedToolIndex(words, options.embedder, options.dense, { cache: kept, events }) : words;
}
