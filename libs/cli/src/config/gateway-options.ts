import type { ToolSearchModuleOptions } from '@tool-search/core';
import {
  changes,
  limitsOptions,
  moduleOptions,
  object,
  oneOf,
  type OptionsOf,
  part,
  record,
  redactionOptions,
  retired,
} from '@tool-search/core/internal';
import { gatewayOptions } from '@tool-search/gateway';
import { mcpSourceOptions } from '@tool-search/mcp';
import { patternRedactorOptions } from '@tool-search/redaction';

const { policy, alwaysLoaded, calls } = moduleOptions.shape;
const { redactor: _redactor, ...redacted } = redactionOptions.shape;
const { serverInfo, instructions, profiles, confirm, allowedHosts, allowedOrigins } = gatewayOptions.shape;
// What says where a server is stands in the server's own entry.
const {
  name: _name,
  owner: _owner,
  url: _url,
  headers: _headers,
  command: _command,
  args: _args,
  env: _env,
  cwd: _cwd,
  changes: _changes,
  ...ofSource
} = mcpSourceOptions.shape;

/** The schema of the options of one server, under `toolSearch.servers`. */
export const serverOptions = object({
  ...ofSource,
  /** How changed tool definitions of this server are handled. @default `changes` of all servers */
  changes: changes().optional(),
});

const redaction = object({ ...patternRedactorOptions.shape, ...redacted });

/** Settings of `PatternRedactor`, and the tools whose results it reads. */
export interface ConfigRedaction extends OptionsOf<typeof redaction> {}

/** `calls` of `ToolSearchModule`. */
export interface ConfigCalls extends NonNullable<ToolSearchModuleOptions['calls']> {}

// What a call costs is a function of the application.
const { cost: _cost, ...configLimits } = limitsOptions.shape;
const configuredLimits = object(configLimits);

/** `limits` of `ToolSearchModule`, without units of cost. */
export interface ConfigLimits extends OptionsOf<typeof configuredLimits> {}

const MOVED = 'no option of a configuration any more: an application sets it in tuning of ToolSearchModule';
const NO_COST = 'no option of a configuration: what a call costs is a function of an application';
const FORMER = [
  'calls.maxWaiting',
  'calls.maxWaitingPerTenant',
  'limits.resultTokens',
  'limits.completionsPerMinute',
  'limits.storeTimeoutMs',
  'limits.leaseSlackMs',
  'redaction.timeoutMs',
];

/** The schema of the options under the key `toolSearch` of a configuration. */
export const configOptions = retired(
  object({
    /** The list of a client over standard input and output: search, read and call, or every tool. @default 'bridge' */
    exposure: oneOf('bridge', 'all').default('bridge'),
    /** How changed tool definitions are handled. @default 'strict' */
    changes: changes().default('strict'),
    policy,
    alwaysLoaded,
    calls: part<ConfigCalls>(calls.unwrap()),
    limits: part<ConfigLimits>(configuredLimits),
    /** Removes credentials and personal data from results; `{}` for all kinds, of all tools. @default off */
    redaction: part<ConfigRedaction>(redaction),
    serverInfo,
    instructions,
    profiles,
    confirm,
    allowedHosts,
    allowedOrigins,
    /** Options of single servers, by the name in `mcpServers`. @default none */
    servers: record(serverOptions).default({}),
  }),
  { ...Object.fromEntries(FORMER.map((path) => [path, MOVED])), 'limits.cost': NO_COST },
);
