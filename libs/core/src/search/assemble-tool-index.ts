import type { ToolEvents } from '../tool/tool-event.js';
import {
  type DenseOptions,
  denseOptions,
  type DenseTuning,
  denseTuning,
  FusedToolIndex,
} from './dense/fused-tool-index.js';
import { flag, object, type OptionsOf, part } from '../options/options.js';
import { embedder } from './embedder.js';
import { MemoryToolIndex } from './memory/memory-tool-index.js';
import type { SearchCache } from './search-cache.js';
import type { ToolIndex } from './tool-index.js';

export const engineOptions = object({
  /** Adds ranking by meaning to ranking by words. @default none */
  embedder: embedder().optional(),
  /** With an embedder: the weight of meaning. */
  dense: part<DenseOptions>(denseOptions),
});

export interface EngineOptions extends OptionsOf<typeof engineOptions> {}

export const engineTuning = object({
  /** Keeps the index and the vectors across restarts if a module provides a {@link SearchCache}. @default true */
  cache: flag().optional(),
  /** With an embedder: how long searches and the catalog wait for vectors. */
  dense: part<DenseTuning>(denseTuning),
});

export interface EngineTuning extends OptionsOf<typeof engineTuning> {}

interface EngineSettings extends Pick<EngineTuning, 'cache'>, Pick<EngineOptions, 'embedder'> {
  readonly dense?: (DenseOptions & DenseTuning) | undefined;
}

export interface EngineParts {
  /** The word index. @default {@link MemoryToolIndex} */
  readonly index: ToolIndex | undefined;
  readonly cache: SearchCache | undefined;
  /** Called with the reason when the cache cannot be read or written. */
  readonly onCacheFault?: ((fault: unknown) => void) | undefined;
  readonly events: ToolEvents;
}

/** Builds the application's search engine: a word index, combined with vectors if there is an embedder. */
export function assembleToolIndex(
  options: EngineSettings,
  { index, cache, onCacheFault, events }: EngineParts,
): ToolIndex {
  const kept = options.cache === false ? undefined : cache;
  const words = index ?? new MemoryToolIndex(kept ? { cache: kept, ...(onCacheFault && { onCacheFault }) } : {});
  return options.embedder ? new FusedToolIndex(words, options.embedder, options.dense, { cache: kept, events }) : words;
}
