import type { InputMethod, InputRequests, InputResponses, ToolLogEntry } from './source/caller-input.js';
import type { CacheRule } from './source/cache-rule.js';
import type { ToolContext } from './tool-context.js';
import type { TraceContext } from './tool-tracing.js';
import type { SourceLimits } from './source/source-options.js';
import type { UserAuthorizer, UserTokens } from './source/user-authorization.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import type {
  ExposedKind,
  Loading,
  ToolDeclaration,
  ToolDefinition,
  ToolInputValidator,
  ToolOutput,
} from './tool-definition.js';

/** One call of a tool, as its executor sees it. */
export interface ToolCall {
  readonly id: string;
  /** Aborts when the caller cancels, the deadline passes or the tool is disabled. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds after which the result is discarded. */
  readonly deadline: number;
  /** Reports progress to the caller. Never throws. */
  progress(update: ToolProgress): void;
  /** Requests that the caller can answer while the call runs. @default none */
  readonly asks?: readonly InputMethod[];
  /**
   * Asks the caller, and waits. The time that the answer takes does not count.
   *
   * @throws ToolSearchError `INPUT_REQUIRED` where the caller cannot answer; let it end the call
   */
  ask?(requests: InputRequests): Promise<InputResponses>;
  /** Logs a line for the caller. Never throws. @default nobody reads it */
  log?(entry: ToolLogEntry): void;
  /**
   * The call's place in a trace, for a server that the source calls and that may learn of it: a public one should not.
   *
   * @default none: without a telemetry module, or outside of a trace
   */
  readonly trace?: TraceContext;
  /** All tools that the caller may use now, in catalog order. @default absent outside a toolbox */
  availableTools?(): Promise<readonly ToolDefinition[]>;
}

/** Progress of a running call. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * The policy for definitions that differ from those first seen or last approved. `strict`: everything new or changed
 * waits in quarantine for an operator. `additive`: new tools and new optional parameters are accepted, everything else
 * waits. `trust`: everything is accepted.
 */
export type ChangePolicy = 'strict' | 'additive' | 'trust';

/**
 * The treatment of tools whose texts an inspector suspects. `hold`: they wait in quarantine for an operator. `report`:
 * they are usable, and operators get a report. `off`: they are not inspected.
 */
export type InspectionMode = 'hold' | 'report' | 'off';

/** Options of `ToolSource.load`. */
export interface LoadOptions {
  /** Fetch everything again over a new connection. Differences between two such loads are volatile, not changes. */
  readonly anew?: boolean;
}

/**
 * Provides tools and executes them. Sources return declarations; the catalog checks and completes them. Pass instances
 * to the module: `forRoot({ sources: [new McpSource({ … })] })`.
 */
export interface ToolSource {
  /** Unique among the application's sources; also the default namespace of its tools. */
  readonly name: string;
  /** The tenant that owns the source; absent or `''` for a source shared by all tenants. */
  readonly owner?: string;
  /**
   * The purpose of its tools as a whole, as of the last load. Untrusted if it comes from outside: its first 500
   * characters are searched with every tool of the source; models never see them.
   *
   * @default none
   */
  readonly description?: string;
  /** Loading of tools that do not declare it. @default the module's `defaultLoading` */
  readonly loading?: Loading;
  /** Timeout of one call, in milliseconds. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Timeout of one load, in milliseconds. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
  /** Refuse tools with a wrong example or an unusable output schema, instead of dropping that part. @default false */
  readonly strict?: boolean;
  /**
   * The policy for changed definitions. If set, the source is stored across restarts: its last good tools are
   * available at the next boot even if it is down.
   *
   * @default nothing is stored and every change accepted, as suits the application's own code
   */
  readonly changes?: ChangePolicy;
  /**
   * The treatment of tools whose texts an inspector suspects. The application's own tools are never inspected.
   *
   * @default the module's `inspection`
   */
  readonly inspection?: InspectionMode;
  /** At boot, use the stored tools and load only when the source reports a change. @default false */
  readonly lazy?: boolean;
  /**
   * The kinds of context items that `load` may return; others are refused. `logging` if its tools log for their callers,
   * `apps` if tools may have pages (MCP Apps).
   *
   * @default none
   */
  readonly exposes?: readonly ExposedKind[];
  /**
   * Returns all current tools. A rejection means that the source is down; its last good tools stay. If `changes` is
   * set, the result is checked afterwards, and with `restore` calls use the previous definitions until `restore` is
   * called.
   */
  load(signal: AbortSignal, options?: LoadOptions): Promise<readonly ToolDeclaration[]>;
  /**
   * Makes declarations from stored origins of tools, as `load` would with the current settings; from then on calls use
   * these. Called after a load, without the volatile parts, and at boot with the stored origins. From then on
   * `description` is the one in these origins.
   */
  restore?(origins: readonly JsonObject[]): readonly ToolDeclaration[];
  /** Calls `changed` whenever the tools may have changed. Returns a function that stops watching. */
  watch?(changed: () => void): () => void;
  /**
   * Runs one tool by its declared name, with validated arguments. If the tool reports an error, the answer has
   * `isError`; if the source cannot be reached, it throws `SOURCE_UNAVAILABLE`.
   *
   * Also reads context items. The input of a resource is empty, that of a template is its `uri`, and the answer has
   * blocks of type `resource`. The input of a prompt are its arguments; the answer has one block for each message, and
   * `structured: { roles }` with the role of each.
   */
  call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer>;
  /** Suggests values for an argument of a prompt or a variable of a resource template, by its declared name. */
  complete?(name: string, request: CompletionRequest, context: ToolContext, signal: AbortSignal): Promise<Completion>;
  /**
   * Whether the server may list a URI as a resource, in any form that it may read as the same, exposed or not. Such a URI is
   * not read through a template. Return true while it is not known. @default the resources that `load` returned
   */
  withholds?(uri: string): boolean;
  /**
   * What the server lists as resources and templates, exposed or not: suggestions name nothing of it that their caller may
   * not see, and a URI is not read through a template if a more specific one fits it that the caller may not see. The same
   * object until the list changes; undefined while it is not known: nothing is suggested then.
   *
   * @default what `load` returned
   */
  listed?(): ListedResources | undefined;
  /**
   * Calls `updated` whenever the content of a resource may have changed. The name is that of a resource, or of the
   * template that the URI fits. Returns a function that ends it.
   */
  subscribe?(name: string, uri: string, context: ToolContext, updated: () => void): Promise<() => void>;
  /**
   * Asks whether this caller may have the stored result of a call, or may use up the approval of a call that follows;
   * throws as `call` would if not.
   *
   * @default every admitted caller may
   */
  admit?(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<void>;
  /** Connects users' own accounts, if its tools are called with them. */
  readonly authorizer?: UserAuthorizer | undefined;
  /** Receives the tokens of its users, once, before the first load. Only for a source with an `authorizer`. */
  useTokens?(tokens: UserTokens): void;
  /** What the source itself left out at its last load: whole tools, and parts of tools that it offers without them. */
  leftOut?(): readonly LeftOut[];
  /**
   * Why the last load could list only a part of its tools, if it did: what was listed counts, the source is degraded and
   * is loaded again. The source itself adds the earlier tools that may be in the other part.
   *
   * @default every load that ends lists all tools
   */
  incomplete?(): Error | undefined;
  /** What an operator should know of the last load although nothing failed, such as that a server has no tools at all. */
  hint?(): string | undefined;
  /** Closes connections and child processes. */
  close(): Promise<void>;
}

/** Tools that a source left out, or offers without a part, for one reason. */
export interface LeftOut {
  /** Name of the tool, or of the first one if there are several. */
  readonly name: string;
  readonly reason: string;
  /** Number of tools with this reason. @default 1 */
  readonly count?: number;
  /** The tools are in the catalog, without a part. @default false: they are not */
  readonly isOffered?: boolean;
}

/** A value that is being entered. */
export interface CompletionRequest {
  readonly argument: { readonly name: string; readonly value: string };
  /** Values entered before, by name. */
  readonly context?: Readonly<Record<string, string>>;
}

/** What a server lists as resources and resource templates, whether the application exposes it or not. */
export interface ListedResources {
  /** The forms of the URIs of all resources: `listedReadings` of each. */
  readonly readings: ReadonlySet<string>;
  /** All URI templates. */
  readonly templates: readonly string[];
}

/** Suggested values, the best first. */
export interface Completion {
  readonly values: readonly string[];
  /** Number of all values, where it is known. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** The result of a call, as a source returns it. */
export interface SourceAnswer extends ToolOutput {
  /** The tool reported an error; its content is meant for the model. */
  readonly isError?: boolean;
}

/** Converts a handler's return value to tool output: text stays text, everything else becomes JSON. */
export function toOutput(value: unknown): ToolOutput {
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  const text = JSON.stringify(value);
  if (text === undefined) return { content: [] };
  return { content: [{ type: 'text', text }], structured: JSON.parse(text) as JsonValue };
}

/** A tool's source and argument check. Belongs to the definition at the same position of a snapshot. */
export interface ToolExecutor {
  readonly source: ToolSource;
  /** The source's own name of the tool. */
  readonly localName: string;
  readonly timeoutMs: number;
  readonly validate: ToolInputValidator;
  /** Names under which arguments are shown, by the source's own names, where these differ. */
  readonly shownNames?: ReadonlyMap<string, string> | undefined;
  readonly cache?: CacheRule | undefined;
  /** Its results are marked as data for the model. */
  readonly untrusted?: boolean | undefined;
  /** Globs of the tools whose stored results its calls discard. */
  readonly invalidates?: readonly string[] | undefined;
}
