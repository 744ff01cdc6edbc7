import type { ToolDeclaration } from '../../tool/tool-definition.js';

/** What the watch says of one declaration. */
export interface WatchedTool {
  readonly fingerprint?: string;
  /** Why it waits in quarantine. */
  readonly suspicion?: string;
  /** Epoch milliseconds; an older verdict is about what was accepted before. */
  readonly suspectSince?: number;
  /** Why it is refused. */
  readonly fault?: string;
}

/** Declarations that can be ingested, and what the watch says of them by own name. */
export interface WatchedLoad {
  readonly declarations: readonly ToolDeclaration[];
  readonly of: (name: string) => WatchedTool;
}
