import type { ToolContext } from './tool-context.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import type { Loading, ToolDeclaration, ToolInputValidator, ToolOutput } from './tool-definition.js';

/** One call of a tool, as its executor sees it. */
export interface ToolCall {
  /** Unique id of this call. */
  readonly id: string;
  /** Aborts when the caller gives up, the deadline passes or the tool is switched off. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds after which the result is no longer wanted. */
  readonly deadline: number;
  /** Reports progress to whoever called; never throws. */
  progress(update: ToolProgress): void;
}

/** How far a running call is. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Bounds on what one source may hand over. A value left out takes the default. */
export interface SourceLimits {
  /** @default 1000 */
  readonly tools?: number;
  /** Bytes of one tool's input schema as JSON. @default 65536 */
  readonly schemaBytes?: number;
  /** @default 32 */
  readonly schemaDepth?: number;
  /** Characters of a description. @default 8192 */
  readonly descriptionChars?: number;
  /**
   * Characters of JSON that loads may bring within a minute because the source says that it changed. A source that is over it is
   * loaded less often. @default 4194304
   */
  readonly changedCharsPerMinute?: number;
}

/**
 * What happens to a definition that is no longer what it was when it was first seen or last approved. `strict`: whatever is new
 * or changed waits in quarantine for an operator. `additive`: new tools and new optional parameters are taken up, everything else
 * waits. `trust`: everything is taken up.
 */
export type ChangePolicy = 'strict' | 'additive' | 'trust';

/** How one load is meant. */
export interface LoadOptions {
  /** Fetch as if for the first time, over a connection of its own: what differs between two such loads is volatile. */
  readonly anew?: boolean;
}

/**
 * Where tools come from and who executes them. Sources hand over declarations; the catalog checks and completes them.
 * Implementations are values: `forRoot({ sources: [new McpSource({ … })] })`.
 */
export interface ToolSource {
  /** Unique among the application's sources; also the default namespace of its tools. */
  readonly name: string;
  /** The tenant that owns the source; left out or `''` for a source that all tenants share. */
  readonly owner?: string;
  /**
   * What its tools are for as a whole, as of the last load. Untrusted where it comes from outside: its first 500 characters
   * are searched with every tool of the source, and no model is shown them.
   *
   * @default none
   */
  readonly description?: string;
  /** Loading of tools that say nothing themselves. @default the module's `defaultLoading` */
  readonly loading?: Loading;
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Milliseconds one load may take. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
  /** Refuse a tool with an example that does not fit or an unusable output schema, instead of leaving that out. @default false */
  readonly strict?: boolean;
  /**
   * What to do about definitions that change. A source that says it is remembered over restarts: its last good tools are there
   * at the next boot even if it is down.
   *
   * @default nothing is remembered and everything taken up, as it should be for the application's own code
   */
  readonly changes?: ChangePolicy;
  /** The tools remembered from last time are enough at boot; it is loaded when it reports a change. @default false */
  readonly lazy?: boolean;
  /**
   * All tools of the source as of now; throwing means the source is down, and its last good tools stay. Where `changes` is set,
   * what was loaded is only judged afterwards: with `restore`, calls go on as before until that is called.
   */
  load(signal: AbortSignal, options?: LoadOptions): Promise<readonly ToolDeclaration[]>;
  /**
   * Declarations from the origins of tools, as `load` would make them by today's settings, and from then on callable by them.
   * Called after a load, with what is volatile taken out, and at boot with what was remembered. From then on `description` is
   * what these origins say of the source.
   */
  restore?(origins: readonly JsonObject[]): readonly ToolDeclaration[];
  /** Calls `changed` whenever the tools may have changed. Returns a function that stops watching. */
  watch?(changed: () => void): () => void;
  /**
   * Runs one tool, named as it was declared, with validated arguments. A tool that answers with an error of its own
   * returns `isError`; a source that cannot be reached throws `SOURCE_UNAVAILABLE`.
   */
  call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer>;
  /** What the source itself had to leave out at its last load, and why. */
  leftOut?(): readonly { readonly name: string; readonly reason: string }[];
  /** Ends connections and child processes. */
  close(): Promise<void>;
}

/** What a source answers to a call. */
export interface SourceAnswer extends ToolOutput {
  /** The tool itself said that it failed; its content is meant for the model. */
  readonly isError?: boolean;
}

/** Turns whatever a handler returned into tool output: text stays text, everything else becomes JSON. */
export function toOutput(value: unknown): ToolOutput {
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  const text = JSON.stringify(value);
  if (text === undefined) return { content: [] };
  return { content: [{ type: 'text', text }], structured: JSON.parse(text) as JsonValue };
}

/** Who runs a tool and how its arguments are checked; the counterpart of its definition in the same snapshot. */
export interface ToolExecutor {
  readonly source: ToolSource;
  /** The source's own name of the tool. */
  readonly localName: string;
  readonly timeoutMs: number;
  readonly validate: ToolInputValidator;
}
