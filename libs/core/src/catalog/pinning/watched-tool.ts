import type { ToolDeclaration } from '../../tool/tool-definition.js';

/** The result of the change watch for one declaration. */
export interface WatchedTool {
  readonly fingerprint?: string;
  /** Why it waits in quarantine. */
  readonly suspicion?: string;
  /** Epoch milliseconds. An older approval refers to an earlier definition. */
  readonly suspectSince?: number;
  readonly fault?: string;
}

/** Declarations to ingest, and the result of the change watch by own name. */
export interface WatchedLoad {
  readonly declarations: readonly ToolDeclaration[];
  readonly of: (name: string) => WatchedTool;
}
