import { readFileSync } from 'node:fs';
import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { ToolContext, ToolDefinition } from '@tool-search/core';
import {
  described,
  flag,
  func,
  glob,
  list,
  neverUndefined,
  object,
  type OptionsOf,
  part,
  profileName,
  profileOptions,
  record,
  type SettingsOf,
  sideEffects,
  text,
  whole,
} from '@tool-search/core/internal';
import { z } from 'zod';
import {
  type GatewayOAuthOptions,
  type GatewayToken,
  oauthOptions,
  type OAuthSettings,
  oauthSettings,
  tokenOptions,
} from './auth/auth-options.js';

const HOUR_MS = 3_600_000;

// By the name of the package: its compiled code is in different folders in a package and in a workspace.
const OWN_VERSION = (
  JSON.parse(readFileSync(require.resolve('@tool-search/gateway/package.json'), 'utf8')) as { readonly version: string }
).version;

const serverInfo = object({
  /** @default 'tool-search' */
  name: text(64).default('tool-search'),
  /** @default the version of this package */
  version: text(64).optional(),
  /** A name for people. @default none */
  title: text(100).optional(),
});

/** Name and version of this server for clients. */
export interface GatewayServerInfo extends OptionsOf<typeof serverInfo> {}

const sessions = object({
  /** Legacy sessions of one caller; the least recently used one ends first. @default 16 */
  maxPerCaller: whole(1, 1000).default(16),
  /** Legacy sessions of this process; the least recently used one of the tenant that has most ends first. @default 10000 */
  max: whole(1, 1_000_000).default(10_000),
  /** Milliseconds without a request after which a session ends. @default 1800000 (30 min) */
  idleMs: whole(1000, 24 * HOUR_MS).default(1_800_000),
});

/** Limits of legacy sessions. */
export interface GatewaySessionOptions extends OptionsOf<typeof sessions> {}

const streams = object({
  /** Open notification streams of one caller; further ones are refused. @default 16 */
  maxPerCaller: whole(1, 1000).default(16),
  /** Open notification streams of this process; the oldest one of the tenant that has most ends first. @default 10000 */
  max: whole(1, 1_000_000).default(10_000),
  /** Milliseconds between two comments that keep a stream open. @default 15000 */
  keepAliveMs: whole(1000, 300_000).default(15_000),
  /** Milliseconds after which guards and `context` are asked again for an open stream. @default 30000 */
  recheckMs: whole(100, HOUR_MS).default(30_000),
  /** Milliseconds that a client may leave a stream unread before it is closed. @default 10000 */
  stalledMs: whole(100, 600_000).default(10_000),
});

/** Limits of notification streams. */
export interface GatewayStreamOptions extends OptionsOf<typeof streams> {}

const confirm = object({
  /** Globs over canonical names. @default none */
  tools: list(glob()).default([]),
  /** @default ['confirm'] */
  tags: list(text()).default(['confirm']),
  /** @default none */
  sideEffects: list(sideEffects()).default([]),
  /** Milliseconds in which the user can answer. @default 600000 (10 min) */
  forMs: whole(1000, HOUR_MS).default(600_000),
});

/** Tools that run only after their caller has confirmed the call in a form of the client. */
export interface GatewayConfirmOptions extends OptionsOf<typeof confirm> {}

/** Input of {@link ToolGatewayOptions.approvalUrl}. */
export interface ApprovalRequest {
  readonly tool: ToolDefinition;
  readonly context: ToolContext;
}

/** The schema of {@link ToolGatewayOptions}, for applications that read them from elsewhere. */
export const gatewayOptions = object({
  serverInfo: part<GatewayServerInfo>(serverInfo),
  /** The first words of the server's instructions for models. What tools there are follows. @default none */
  instructions: text(1000).optional(),
  /** Narrowings by name, each under `/p/<name>`. Operators can add others, and narrow these. @default none */
  profiles: record<typeof profileOptions>(profileOptions, profileName()).default({}),
  /** Callers have access tokens of an authorization server. @default none */
  oauth: part<GatewayOAuthOptions>(oauthOptions),
  /** Fixed bearer tokens for local use, also beside `oauth`. They have every scope. @default none */
  tokens: list(tokenOptions as z.ZodType<GatewayToken, GatewayToken>).default([]),
  /** Accept `tokens` where NODE_ENV is `production`. @default false */
  tokensInProduction: flag().default(false),
  /** Host names under which requests may arrive, without port. @default any */
  allowedHosts: list(text()).optional(),
  /** Host names of the web pages that may send requests. @default none: a request with an Origin is refused */
  allowedOrigins: list(text()).default([]),
  /** Maximum size of a request's body in bytes, also where the application's own limit differs. @default 524288 */
  maxBodyBytes: whole(1024, 16_777_216).default(524_288),
  /** Tools on one page of a list. @default 250 */
  pageSize: whole(1, 10_000).default(250),
  /** Milliseconds for which a client may keep a list. @default 30000 */
  listTtlMs: whole(0, 24 * HOUR_MS).default(30_000),
  sessions: part<GatewaySessionOptions>(sessions),
  streams: part<GatewayStreamOptions>(streams),
  confirm: part<GatewayConfirmOptions>(confirm),
  /** The page where a missing approval is decided, for clients that can open one. @default none */
  approvalUrl: func<(request: ApprovalRequest) => string>().optional(),
  /** Signs what clients carry between two requests, at least 32 characters, the same on all instances. @default random */
  stateKey: neverUndefined(described(z.string().min(32), 'a text of at least 32 characters')).optional(),
  /** Milliseconds in which running calls may end at shutdown. @default 10000 */
  drainMs: whole(0, 600_000).default(10_000),
});

/** Options of the gateway. */
export interface ToolGatewayOptions extends OptionsOf<typeof gatewayOptions> {}

/** Checked options with their defaults. */
export type GatewaySettings = Omit<
  SettingsOf<typeof gatewayOptions>,
  'oauth' | 'serverInfo' | 'sessions' | 'streams' | 'confirm'
> & {
  readonly oauth?: OAuthSettings | undefined;
  readonly serverInfo: SettingsOf<typeof serverInfo> & { readonly version: string };
  readonly sessions: SettingsOf<typeof sessions>;
  readonly streams: SettingsOf<typeof streams>;
  readonly confirm: SettingsOf<typeof confirm>;
};

/** Fills in the defaults of nested options. */
export function gatewaySettings(checked: SettingsOf<typeof gatewayOptions>): GatewaySettings {
  const info = serverInfo.parse(checked.serverInfo ?? {});
  return {
    ...checked,
    oauth: checked.oauth && oauthSettings(checked.oauth),
    serverInfo: { ...info, version: info.version ?? OWN_VERSION },
    sessions: sessions.parse(checked.sessions ?? {}),
    streams: streams.parse(checked.streams ?? {}),
    confirm: confirm.parse(checked.confirm ?? {}),
  };
}

/** The route that `ToolGatewayModule` registers. Without a `path` it registers none: extend `ToolGatewayController`. */
export interface ToolGatewayRoutes {
  /** Path of the endpoint, for example `mcp`. */
  readonly path?: string;
  /**
   * Guards that authenticate callers. An empty list leaves authentication to global guards. Not needed with the options
   * `oauth` or `tokens`; then they run after the check of the token.
   */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Serve callers without any guard. The `context` option still says who they are. @default false */
  readonly anonymous?: boolean;
  /** Modules that export what the guards inject. */
  readonly imports?: ModuleMetadata['imports'];
  /** Decorators for the controller. */
  readonly decorators?: readonly ClassDecorator[];
}
