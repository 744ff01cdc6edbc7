import type { ChangePolicy, Loading, SideEffects, SourceLimits, ToolContext, ToolDeclaration } from '@tool-search/core';
import type { EgressOptions } from '@tool-search/core/egress';

/** Names and values, of HTTP headers or of an environment. */
export type McpVariables = Readonly<Record<string, string>>;

/**
 * Names and values, or a function that says them for whoever is asking; `undefined` while the tools are listed. It is asked
 * again for every call. When it throws, that one call is answered with `SOURCE_UNAVAILABLE`, without a word of its error.
 */
export type McpCredentials =
  McpVariables | ((context: ToolContext | undefined) => McpVariables | Promise<McpVariables>);

/** An MCP server that is reached over Streamable HTTP. */
export interface McpHttpServer {
  /** `http:` or `https:`; credentials belong in `headers`. */
  readonly url: string | URL;
  /**
   * Sent with every request, for example `Authorization`. Never sent to another origin. A function makes them for each user:
   * every tenant, user and set of headers has a connection of its own.
   */
  readonly headers?: McpCredentials;
  /**
   * Where the server may be beyond the public internet. What the url names as `localhost`, `127.0.0.1` or `[::1]` is allowed
   * without it, unless the source has an owner.
   *
   * @default public addresses only
   */
  readonly egress?: EgressOptions;
}

/** An MCP server that is started as a child process and spoken to over its standard input and output. */
export interface McpStdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Added to a minimal environment (`HOME`, `PATH`, `USER` and the like); nothing else of ours reaches the child. A function
   * makes it for each user: every tenant, user and environment has a process of its own.
   */
  readonly env?: McpCredentials;
  /** @default our own working directory */
  readonly cwd?: string;
}

/** What {@link McpSource} takes whichever way its server is reached. */
export interface McpSourceSettings {
  /** Unique among the application's sources, 1 to 64 of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The tenant whose own source this is. @default a source that all tenants share */
  readonly owner?: string;
  /** Put before every tool's name. @default the source's name */
  readonly namespace?: string;
  /**
   * What its tools are for as a whole, in your words: searched with each of them, never shown; `''` for none.
   *
   * @default what the server says of itself: title, description and instructions
   */
  readonly description?: string;
  /** @default 'deferred' */
  readonly loading?: Loading;
  /** Globs over the server's own tool names; a tool that matches one is in the model's list from the start. */
  readonly alwaysLoaded?: readonly string[];
  /** Globs over the server's own tool names; only tools that match one are taken. @default all tools */
  readonly include?: readonly string[];
  /** Globs over the server's own tool names; a tool that matches one is left out, included or not. */
  readonly exclude?: readonly string[];
  /** Given to every tool of the source. */
  readonly tags?: readonly string[];
  /**
   * Side effects by globs over the server's own tool names; the first glob that matches decides. A tool that none
   * matches is `external`: what a server says about its own tools is a hint and decides nothing.
   */
  readonly sideEffects?: Readonly<Record<string, SideEffects>>;
  /** Examples by globs over the server's own tool names; the first glob that matches decides. @default none */
  readonly examples?: Readonly<Record<string, NonNullable<ToolDeclaration['examples']>>>;
  /** What happens to definitions that change. @default 'strict' */
  readonly changes?: ChangePolicy;
  /**
   * Once its tools are remembered, the server is started, or connected to, by the first call only, and left again after
   * `idleMs` without one.
   *
   * @default false
   */
  readonly lazy?: boolean;
  /** Refuse results whose structured content does not fit the tool's output schema. @default true */
  readonly validateOutput?: boolean;
  /** Milliseconds between two looks at the list of tools, 1000 at least, whatever the server announces. @default none */
  readonly refreshEveryMs?: number;
  /** Milliseconds without a call after which a user's own, or a lazy, connection is ended. @default 300000 */
  readonly idleMs?: number;
  /** Users' own connections, and as many that end their last calls; the one used the longest ago goes first. @default 20 */
  readonly maxConnections?: number;
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Milliseconds connecting, and listing the tools, may take. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

/** Options of {@link McpSource}: one server, by `url` or by `command`. */
export type McpSourceOptions = McpSourceSettings & (McpHttpServer | McpStdioServer);
