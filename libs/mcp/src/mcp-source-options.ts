import { type Loading, SIDE_EFFECTS, type SideEffects, type SourceLimits, ToolSearchError } from '@tool-search/core';

/** An MCP server that is reached over Streamable HTTP. */
export interface McpHttpServer {
  /** `http:` or `https:`; credentials belong in `headers`. */
  readonly url: string | URL;
  /** Sent with every request, for example `Authorization`. Never sent to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An MCP server that is started as a child process and spoken to over its standard input and output. */
export interface McpStdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to a minimal environment (`HOME`, `PATH`, `USER` and the like); nothing else of ours reaches the child. */
  readonly env?: Readonly<Record<string, string>>;
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
  /** Milliseconds one call may take. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Milliseconds connecting, and listing the tools, may take. @default 30000 */
  readonly loadTimeoutMs?: number;
  readonly limits?: SourceLimits;
}

/** Options of {@link McpSource}: one server, by `url` or by `command`. */
export type McpSourceOptions = McpSourceSettings & (McpHttpServer | McpStdioServer);

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The server that the options name. Refuses options that could only fail later, and repeats nothing that may be secret.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function serverOf(options: McpSourceOptions): McpHttpServer | McpStdioServer {
  const refuse = (reason: string, hint: string): never => {
    const message = `MCP source ${JSON.stringify(options.name)}: ${reason}.`;
    throw new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
  };
  if (typeof options.name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(options.name)) {
    refuse('the name is not usable', 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
  }
  if (options.namespace !== undefined && !/^[A-Za-z0-9_.-]{0,64}$/.test(options.namespace)) {
    refuse('the namespace is not usable', 'Use up to 64 of letters, digits, "_", "-" and ".".');
  }
  for (const [glob, effects] of Object.entries(options.sideEffects ?? {})) {
    if (!SIDE_EFFECTS.includes(effects)) {
      refuse(`sideEffects of ${JSON.stringify(glob)} is unknown`, `Use one of ${SIDE_EFFECTS.join(', ')}.`);
    }
  }
  for (const timeout of ['callTimeoutMs', 'loadTimeoutMs'] as const) {
    const ms = options[timeout] ?? 1;
    const isUsable = ms >= 1 && ms <= MAX_TIMER_MS;
    if (!isUsable) refuse(`${timeout} is out of range`, `Use 1 to ${MAX_TIMER_MS} milliseconds.`);
  }
  // An option may be there and be undefined, as it is when it comes from configuration.
  const { url, headers, command, args, env, cwd } = options as Partial<McpHttpServer & McpStdioServer>;
  if (url !== undefined && command === undefined) return checkedServer({ url, headers }, refuse);
  if (command !== undefined && command !== '' && url === undefined) return { command, args, env, cwd };
  return refuse('it must name one server', 'Give either url (Streamable HTTP) or command (stdio).');
}

function checkedServer(server: McpHttpServer, refuse: (reason: string, hint: string) => never): McpHttpServer {
  const url = URL.canParse(String(server.url)) ? new URL(server.url) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return refuse('the url is not usable', 'Use an absolute http: or https: address.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('the url holds credentials', 'Send them in headers instead.');
  }
  try {
    new Headers(server.headers);
  } catch {
    return refuse('a header is not legal', 'Use header names and values that HTTP allows, without line breaks.');
  }
  return server;
}
