import type { ToolDefinition } from '@tool-search/core';

/** What a measured engine answers. */
export interface EngineAnswer {
  /** Canonical names, best first. */
  readonly names: readonly string[];
  /** The engine says that nothing fits. */
  readonly saysNone: boolean;
}

/** A search engine as the benchmarks drive it: ours or a peer. */
export interface SearchEngine {
  readonly name: string;
  /** Settings that differ from the engine's own defaults. */
  readonly config: string;
  build(tools: readonly ToolDefinition[]): Promise<void>;
  /** @param share of the tools that the searcher may see, evenly spread; all of them when left out */
  search(text: string, limit: number, share?: number): Promise<EngineAnswer>;
}
