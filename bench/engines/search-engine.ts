import type { ToolDefinition } from '@tool-search/core';

/** What a measured engine answers. */
export interface EngineAnswer {
  /** Canonical names, best first. */
  readonly names: readonly string[];
  /** The engine says that nothing fits. */
  readonly saysNone: boolean;
  /** Milliseconds that the original spends on every query and this one does not; belongs to the latency. */
  readonly sparedMs?: number;
}

/** A search engine as the benchmarks drive it: ours or a peer. */
export interface SearchEngine {
  readonly name: string;
  /** Settings that differ from the engine's own defaults. */
  readonly config: string;
  /** @param tools sorted by canonical name */
  build(tools: readonly ToolDefinition[]): Promise<void>;
  /** Builds as a restarted process would, with what the engine kept when it was last started this way. */
  restart?(tools: readonly ToolDefinition[]): Promise<void>;
  /** @param share of the tools that the searcher may see, evenly spread; all of them when left out */
  search(text: string, limit: number, share?: number): Promise<EngineAnswer>;
  /** Makes what a visibility rule would hand to the engine with a query. It is no part of a search, so it is not timed. */
  see?(share: number): void;
  /** Prepares a changed catalog; what it returns makes the change searchable, and is what is timed. */
  change?(tools: readonly ToolDefinition[]): () => Promise<void>;
  /** Matches a pattern that somebody else wrote; how many tools it found. */
  match?(pattern: string, limit: number): Promise<number>;
}
