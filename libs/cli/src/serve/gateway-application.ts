import { type DynamicModule, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createHash } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { type ToolContext, ToolSearchModule, type ToolSearchModuleOptions, type ToolSource } from '@tool-search/core';
import { ToolGatewayModule, type ToolGatewayOptions, type ToolGatewayRoutes } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';
import { phraseCatalogs, withPhrases } from '@tool-search/phrases';
import { PatternRedactor } from '@tool-search/redaction';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import type { ConfigRedaction } from '../config/gateway-options.js';
import type { ConfiguredServer, GatewayConfig } from '../config/read-config.js';
import { StderrLogger } from './stderr-logger.js';

/** How the servers of a configuration are put together. */
export interface ApplicationSetup {
  readonly config: GatewayConfig;
  /** SQLite file of the state, or `:memory:`. */
  readonly state: string;
  /** Milliseconds that slow servers may delay the start. @default 10000 */
  readonly bootWaitMs?: number;
  /** @default warnings, errors and the lines of this library, on standard error */
  readonly logger?: LoggerService | false;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Path of the MCP endpoint over HTTP. */
export const PATH = 'mcp';

@Module({})
class GatewayApplication {}

/** The caller of a gateway without an application: the user who runs it. */
export function localUser(): ToolContext {
  return { tenantId: 'local', userId: userInfo().username };
}

/** The default file of the state: one for each configuration, in the user's home. */
export function stateFileOf({ file }: GatewayConfig): string {
  const id = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return join(homedir(), '.tool-search', `${basename(file, '.json').replace(/^\./, '')}-${id}.sqlite`);
}

/** Starts the servers without a listener. @throws ToolSearchError `INVALID_CONFIGURATION`, `STORE_UNAVAILABLE` */
export function createContext(setup: ApplicationSetup) {
  return NestFactory.createApplicationContext(application(setup, {}), nestOptions(setup));
}

/**
 * Starts the servers with the endpoint `/mcp`, which does not listen yet.
 *
 * @param token of the callers
 * @param isLocal whether requests may name this machine only, whatever a web page's address resolves to
 * @throws ToolSearchError `INVALID_CONFIGURATION`, `STORE_UNAVAILABLE`
 */
export function createHttp(setup: ApplicationSetup, token: string, isLocal: boolean): Promise<NestExpressApplication> {
  // The command has no other way to know its callers, so NODE_ENV changes nothing.
  const access = { tokens: [{ token, user: {} }], tokensInProduction: true };
  const routes = { path: PATH, ...access, ...(isLocal && { allowedHosts: LOOPBACK }) };
  return NestFactory.create<NestExpressApplication>(application(setup, routes), {
    ...nestOptions(setup),
    bodyParser: false,
    forceCloseConnections: true,
  });
}

function nestOptions({ logger = new StderrLogger() }: ApplicationSetup) {
  return { logger, abortOnError: false, bufferLogs: false };
}

function application(
  { config, state, bootWaitMs }: ApplicationSetup,
  routes: ToolGatewayRoutes & Pick<ToolGatewayOptions, 'allowedHosts' | 'tokens' | 'tokensInProduction'>,
): DynamicModule {
  const { policy, alwaysLoaded, calls, limits, redaction, ...others } = config.options;
  const { servers: _, changes: __, exposure: ___, ...gateway } = others;
  const user = localUser();
  const options: ToolSearchModuleOptions = {
    context: () => user,
    sources: sourcesOf(config.servers),
    // What is listed, an endpoint says; the index must be there for each.
    exposure: 'bridge',
    alwaysLoaded,
    ...(policy && { policy }),
    ...(calls && { calls }),
    ...(limits && { limits }),
    ...(redaction && { redaction: redactionOf(redaction) }),
    ...(bootWaitMs !== undefined && { catalog: { bootWaitMs } }),
  };
  return {
    module: GatewayApplication,
    imports: [
      ToolSearchModule.forRoot(options),
      ToolSearchTypeOrmModule.forRoot({ database: state }),
      ToolGatewayModule.forRoot({ ...routes, ...gateway }),
    ],
  };
}

function redactionOf({ kinds, countries, ...tools }: ConfigRedaction) {
  const options = { ...(kinds && { kinds }), ...(countries && { countries }) };
  return { redactor: new PatternRedactor(options), ...tools };
}

function sourcesOf(servers: readonly ConfiguredServer[]): readonly ToolSource[] {
  const catalogs = new Set(phraseCatalogs());
  return servers.map(({ source }) => {
    const started = new McpSource(source);
    // Most servers are npm packages, started by npx: `-y @scope/name@1.2.3`.
    const words = 'command' in source ? (source.args ?? []) : [];
    const known = words.map((word) => word.replace(/(?<=.)@[^@/]*$/, '')).find((word) => catalogs.has(word));
    return known === undefined ? started : withPhrases(started, known);
  });
}
