import type { TraceContext } from '@tool-search/core/source';
import type { InputMethod, ToolProgress } from '@tool-search/core/internal';
import type { Asker } from '../input/asker.js';
import type { AppPage } from '@tool-search/core/source';
import type { ItemList } from '../items/exposed-items.js';

/** How a connection is opened, and what it reports. */
export interface ConnectionOptions {
  readonly signal: AbortSignal;
  /** Timeout of each request during opening, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Called when the server announces changed tools, or when an announcement may have been missed. Without it, the
   * connection does not subscribe to changes.
   */
  readonly changed?: (() => void) | undefined;
  /** The lists of context items whose changes count too. */
  readonly lists: readonly ItemList[];
  readonly input: ConnectionInput;
  /** Called once, when the connection has ended. `unasked` is true unless this side closed it. */
  readonly ended: (unasked: boolean) => void;
}

/** Requests and log lines that a server may send to the callers of its tools. */
export interface ConnectionInput {
  /** Requests that it may send. */
  readonly methods: readonly InputMethod[];
  /** Whether its log lines are read. */
  readonly logs: boolean;
  /** Whether pages of its tools are shown (MCP Apps): some servers have such tools for clients that say so alone. */
  readonly apps: boolean;
}

/** The members of every request of a caller. */
export interface CallerRequest {
  readonly signal: AbortSignal;
  readonly asker: Asker;
  /** The trace of the request, for a server that may learn of it. */
  readonly trace?: TraceContext | undefined;
}

export interface McpCall extends CallerRequest {
  readonly name: string;
  /** The schema as the server sent it; undefined if unknown. */
  readonly inputSchema: unknown;
  readonly args: Record<string, unknown>;
  readonly progress: (update: ToolProgress) => void;
}

/** A request for the content of a context item. */
export type ItemRequest =
  | {
      readonly method: 'resources/read';
      readonly params: { readonly uri: string };
      /** Set for a page of MCP Apps. */
      readonly page?: AppPage | undefined;
    }
  | {
      readonly method: 'prompts/get';
      readonly params: { readonly name: string; readonly arguments: Record<string, string> };
    };
