import type { ChangePolicy, Loading, SideEffects, SourceLimits, ToolContext, ToolDeclaration } from '@tool-search/core';
import type { EgressOptions } from '@tool-search/core/egress';

/** HTTP headers or environment variables, by name. */
export type McpVariables = Readonly<Record<string, string>>;

/**
 * Fixed values, or a function that returns them for a context. The function runs for every call; while tools are listed
 * its context is `undefined`. If it throws, that call fails with `SOURCE_UNAVAILABLE`, which does not reveal the
 * error's text.
 */
export type McpCredentials =
  McpVariables | ((context: ToolContext | undefined) => McpVariables | Promise<McpVariables>);

/** An MCP server reached over Streamable HTTP. */
export interface McpHttpServer {
  /** `http:` or `https:`; put credentials into `headers`. */
  readonly url: string | URL;
  /**
   * Sent with every request, for example `Authorization`; never sent to another origin. With a function, each tenant,
   * user and set of headers gets its own connection.
   */
  readonly headers?: McpCredentials;
  /**
   * Allows addresses that are not public. `localhost`, `127.0.0.1` and `[::1]` in the url are allowed without it,
   * unless the source has an owner.
   *
   * @default public addresses only
   */
  readonly egress?: EgressOptions;
}

/** An MCP server started as a child process, reached over its standard input and output. */
export interface McpStdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Added to a minimal environment (`HOME`, `PATH`, `USER` and the like); the child gets no other variable of the
   * application. With a function, each tenant, user and environment gets its own process.
   */
  readonly env?: McpCredentials;
  /** @default the application's working directory */
  readonly cwd?: string;
}

/** Options of {@link McpSource} for both transports. */
export interface McpSourceSettings {
  /** Unique among the application's sources: 1 to 64 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The tenant that owns the source. @default all tenants share the source */
  readonly owner?: string;
  /** Prefix of every tool name. @default the source's name */
  readonly namespace?: string;
  /**
   * Purpose of the tools as a whole, in the operator's words. Searches match it for each of the tools, but it is never
   * shown; `''` for none.
   *
   * @default the server's title, description and instructions
   */
  readonly description?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /** Globs over the server's tool names. Tools that match are in the model's list from the start. */
  readonly alwaysLoaded?: readonly string[];
  /** Globs over the server's tool names. Other tools are left out. @default all tools */
  readonly include?: readonly string[];
  /** Globs over the server's tool names. Tools that match are left out; this overrides `include`. */
  readonly exclude?: readonly string[];
  /** Added to every tool of the source. */
  readonly tags?: readonly string[];
  /**
   * Side effects by globs over the server's tool names; the first match counts. Tools without a match are `external`:
   * the server's own annotations are untrusted hints and never change this.
   */
  readonly sideEffects?: Readonly<Record<string, SideEffects>>;
  /** Examples by globs over the server's tool names; the first match counts. @default none */
  readonly examples?: Readonly<Record<string, NonNullable<ToolDeclaration['examples']>>>;
  /** How changed tool definitions are handled. @default 'strict' */
  readonly changes?: ChangePolicy;
  /**
   * Connects to the server, or starts it, only at the first call once its tools are stored, and disconnects after
   * `idleMs` without a call.
   *
   * @default false
   */
  readonly lazy?: boolean;
  /** Rejects results whose structured content does not match the tool's output schema. @default true */
  readonly validateOutput?: boolean;
  /**
   * Interval in milliseconds at which the tool list is polled, in addition to the server's announcements; at least
   * 1000. A lazy source polls only while it is connected.
   *
   * @default no polling
   */
  readonly refreshEveryMs?: number;
  /** Milliseconds without a call after which a per-user or lazy connection is closed. @default 300000 */
  readonly idleMs?: number;
  /**
   * Maximum number of per-user connections. Beyond it an idle one, else the least recently used one, is replaced; as
   * many again may still finish running calls.
   *
   * @default 20
   */
  readonly maxConnections?: number;
  /** Timeout of one call in milliseconds. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Timeout in milliseconds of connecting, and of listing the tools. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

/** Options of {@link McpSource}. Exactly one of `url` and `command` names the server. */
export type McpSourceOptions = McpSourceSettings & (McpHttpServer | McpStdioServer);
