import type { ToolDefinition } from '@tool-search/core';

/** The answer of a measured engine. */
export interface EngineAnswer {
  /** Canonical names, best first. */
  readonly names: readonly string[];
  /** Whether the engine reports that most likely none of them fits. @default false */
  readonly isWeak?: boolean;
  /** Milliseconds that the original spends on every query and this port does not; added to the latency. */
  readonly sparedMs?: number;
}

/** A search engine in the benchmarks: ours or a peer. */
export interface SearchEngine {
  readonly name: string;
  /** Settings that differ from the engine's defaults. */
  readonly config: string;
  /** @param tools sorted by canonical name */
  build(tools: readonly ToolDefinition[]): Promise<void>;
  /** Builds the index as a restarted process would, with the data that the engine kept at its last start. */
  restart?(tools: readonly ToolDefinition[]): Promise<void>;
  /** @param share share of the tools that are visible to the caller, evenly spread; default all */
  search(text: string, limit: number, share?: number): Promise<EngineAnswer>;
  /** Prepares the visible tools for a query, as a visibility policy would. Not part of a search, so not timed. */
  see?(share: number): void;
  /** Prepares a changed catalog. Only the returned function, which makes the change searchable, is timed. */
  change?(tools: readonly ToolDefinition[]): () => Promise<void>;
  /** Matches a pattern from an untrusted caller. @returns number of tools found */
  match?(pattern: string, limit: number): Promise<number>;
}
