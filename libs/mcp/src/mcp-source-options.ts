import type { ToolContext, ToolDeclaration } from '@tool-search/core';
import type { EgressOptions } from '@tool-search/core/source';
import {
  areExamples,
  areHeaders,
  areTexts,
  changes,
  egressOptions,
  flag,
  list,
  milliseconds,
  object,
  oneOf,
  type OptionsOf,
  parseOptions,
  part,
  record,
  remoteSourceOptions,
  rule,
  sideEffects,
  text,
  value,
  whole,
} from '@tool-search/core/internal';
import { z } from 'zod';
import type { Exposed } from './items/exposed-items.js';
import { listAsOptions, type McpListAsOptions, type McpOAuthOptions, oauthOptions } from './oauth/oauth-options.js';

/** HTTP headers or environment variables, by name. */
export type McpVariables = Readonly<Record<string, string>>;

/**
 * Fixed values, or a function that returns them for a context. The function runs for every call; while tools are listed
 * its context is `undefined`. If it throws, that call fails with `SOURCE_UNAVAILABLE`, which does not reveal the
 * error's text.
 */
export type McpCredentials =
  McpVariables | ((context: ToolContext | undefined) => McpVariables | Promise<McpVariables>);

const httpServer = object({
  /** `http:` or `https:`; put credentials into `headers`. */
  url: value<string | URL>(isAddress, 'an absolute http: or https: address without credentials'),
  /**
   * Sent with every request, for example `Authorization`; never sent to another origin. With a function, each tenant,
   * user and set of headers gets its own connection.
   */
  headers: value<McpCredentials>(
    (given) => typeof given === 'function' || areHeaders(given),
    'an object of names and values that HTTP allows, or a function that returns one',
  ).optional(),
  /**
   * Allows addresses that are not public. `localhost`, `127.0.0.1` and `[::1]` in the url are allowed without it,
   * unless the source has an owner.
   *
   * @default public addresses only
   */
  egress: part<EgressOptions>(egressOptions),
  /**
   * `'user'`: calls are sent with the caller's own account at the server, which each user connects once; needs the
   * module's `userCredentials`. `headers` are sent too, except that `Authorization` is for listing only.
   *
   * @default calls are sent with `headers` alone
   */
  auth: oneOf('user').optional(),
  /** With `auth`: the provider of the accounts. @default what the server names, with a client that is registered there */
  oauth: part<McpOAuthOptions>(oauthOptions),
  /** With `auth`: the user whose account lists the tools. @default they are listed with `headers` */
  listAs: part<McpListAsOptions>(listAsOptions),
});

/** An MCP server reached over Streamable HTTP. */
export interface McpHttpServer extends OptionsOf<typeof httpServer> {}

const stdioServer = object({
  /** The program to start. */
  command: text(),
  /** @default [] */
  args: list(z.string()).optional(),
  /**
   * Added to a minimal environment (`HOME`, `PATH`, `USER` and the like); the child gets no other variable of the
   * application. With a function, each tenant, user and environment gets its own process.
   */
  env: value<McpCredentials>(
    (given) => typeof given === 'function' || areVariables(given),
    'an object of names without "=" and texts without NUL, or a function that returns one',
  ).optional(),
  /** @default the application's working directory */
  cwd: text().optional(),
});

/** An MCP server started as a child process, reached over its standard input and output. */
export interface McpStdioServer extends OptionsOf<typeof stdioServer> {}

const expose = object({
  /** The server's resources and resource templates: all, or those whose URI or template matches a glob. @default false */
  resources: value<Exposed>(isExposed, 'true, false or a list of globs').optional(),
  /** The server's prompts: all, or those whose name matches a glob. @default false */
  prompts: value<Exposed>(isExposed, 'true, false or a list of globs').optional(),
  /**
   * The pages of the server's tools (MCP Apps), for hosts that show them: all, or those whose `ui://` address matches a glob.
   *
   * @default false
   */
  apps: value<Exposed>(isExposed, 'true, false or a list of globs').optional(),
  /** The log lines of the server's tools, to the caller of each. @default false */
  logging: flag().optional(),
});

/** Context items, pages and log lines that a server may offer to clients of the gateway. */
export interface McpExposeOptions extends OptionsOf<typeof expose> {}

const input = object({
  /** Forms and pages for the user. @default true */
  elicitation: flag().optional(),
  /** Answers of the client's model. @default false */
  sampling: flag().optional(),
  /** The client's folders. @default false */
  roots: flag().optional(),
});

/** Requests that a server may send to the clients of its callers. */
export interface McpInputOptions extends OptionsOf<typeof input> {}

const settings = object({
  ...remoteSourceOptions.shape,
  /** Requests that the server may send to the clients of its callers, through the gateway. @default forms and pages */
  input: part<McpInputOptions>(input),
  /** Context items, pages and log lines that the server may offer to clients of the gateway. @default none */
  expose: part<McpExposeOptions>(expose),
  /**
   * Purpose of the tools as a whole, in the operator's words. Searches match it for each of the tools, but it is never
   * shown; `''` for none.
   *
   * @default the server's title, description and instructions
   */
  description: z.string().optional(),
  /** Globs over the server's tool names. Tools that match are in the model's list from the start. */
  alwaysLoaded: globs().optional(),
  /** Globs over the server's tool names. Other tools are left out. @default all tools */
  include: globs().optional(),
  /** Globs over the server's tool names. Tools that match are left out; this overrides `include`. */
  exclude: globs().optional(),
  /** Added to every tool of the source. */
  tags: globs().optional(),
  /**
   * Side effects by globs over the server's tool names; the first match counts. Tools without a match are `external`:
   * the server's own annotations are untrusted hints and never change this.
   */
  sideEffects: record(sideEffects(), glob()).optional(),
  /** Examples by globs over the server's tool names; the first match counts. @default none */
  examples: record(value<Examples>(areExamples, 'a list of { args, description?, tags? }'), glob()).optional(),
  /**
   * Hands the trace of each call on to the server: `traceparent`, `tracestate` and the baggage that the telemetry module
   * names. Without that module nothing is handed on.
   *
   * @default for child processes, this machine and the places that `egress.allow` names, not for public addresses
   */
  propagate: flag().optional(),
  /** How changed tool definitions are handled. @default 'strict' */
  changes: changes().default('strict'),
  /**
   * Connects to the server, or starts it, only at the first call once its tools are stored, and disconnects after
   * `idleMs` without a call.
   *
   * @default false
   */
  lazy: flag().default(false),
  /** Rejects results whose structured content does not match the tool's output schema. @default true */
  validateOutput: flag().default(true),
  /**
   * Interval in milliseconds at which the tool list is polled, in addition to the server's announcements; at least
   * 1000. A lazy source polls only while it is connected.
   *
   * @default no polling
   */
  refreshEveryMs: milliseconds(1000).optional(),
  /** Milliseconds without a call after which a per-user or lazy connection is closed. @default 300000 */
  idleMs: milliseconds().default(300_000),
  /**
   * Maximum number of per-user connections. Beyond it one of the tenant with the most is replaced: an idle one, else the
   * least recently used one, after its running calls. One tenant has at most twice as many open, all tenants four times;
   * further calls wait.
   *
   * @default 20
   */
  maxConnections: whole(1, 10_000).default(20),
  /** Timeout in milliseconds of connecting, and of listing the tools. @default 30000 */
  loadTimeoutMs: milliseconds().default(30_000),
});

/** Options of {@link McpSource} for both transports. */
export interface McpSourceSettings extends OptionsOf<typeof settings> {}

/** Options of {@link McpSource}. Exactly one of `url` and `command` names the server. */
export type McpSourceOptions = McpSourceSettings & (McpHttpServer | McpStdioServer);

/**
 * The schema of {@link McpSourceOptions}, for applications that read them from elsewhere. The configuration of
 * `@tool-search/cli` takes the options of its servers from it. It names MCP servers alone, so other kinds of sources export
 * no schema.
 */
export const mcpSourceOptions = object({
  ...settings.shape,
  ...httpServer.partial().shape,
  ...stdioServer.partial().shape,
}).check(
  rule(
    'url',
    'given (Streamable HTTP) or else command (stdio): one of them names the server',
    ({ url, command }) => (url === undefined) !== (command === undefined),
  ),
  rule('auth', 'left out with command', ({ auth, command }) => auth === undefined || command === undefined),
  rule('oauth', "left out unless auth is 'user'", ({ auth, oauth }) => auth !== undefined || oauth === undefined),
  rule('listAs', "left out unless auth is 'user'", ({ auth, listAs }) => auth !== undefined || listAs === undefined),
  rule(
    'listAs',
    'a user of the owner of the source',
    ({ owner = '', listAs }) => owner === '' || listAs === undefined || listAs.tenantId === owner,
  ),
);

/** Checks the options and fills in their defaults. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function checkedOptions(given: McpSourceOptions) {
  const { url, headers, egress, auth, oauth, listAs, command, args, env, cwd, ...rest } = parseOptions(
    mcpSourceOptions,
    given,
    'McpSource',
  );
  const server =
    url === undefined ? { command: command ?? '', args, env, cwd } : { url, headers, egress, auth, oauth, listAs };
  return { ...rest, server };
}

/** Checks the limits of an environment: no NUL anywhere, no empty name, no `=` in a name. */
export function areVariables(env: unknown): env is Record<string, string> {
  const isUsable = (text: string) => !text.includes('\0');
  return (
    areTexts(env) &&
    Object.entries(env).every(
      ([name, value]) => name !== '' && !name.includes('=') && isUsable(name) && isUsable(value),
    )
  );
}

function isExposed(given: unknown): boolean {
  if (typeof given === 'boolean') return true;
  return Array.isArray(given) && given.every((each) => typeof each === 'string' && each !== '' && each.length <= 2048);
}

type Examples = NonNullable<ToolDeclaration['examples']>;

function isAddress(given: unknown): boolean {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === '';
}

/** Names of a server's tools may have characters that no canonical name has. */
function glob() {
  return text(256);
}

function globs() {
  return list(glob());
}
