import {
  applyDecorators,
  ConfigurableModuleBuilder,
  Controller,
  type DynamicModule,
  Global,
  Module,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ToolSearchError } from '@tool-search/core';
import { parseOptions } from '@tool-search/core/internal';
import { BearerCallers } from './auth/bearer-callers.js';
import { checkAuthentication } from './auth/check-authentication.js';
import { MetadataRoute } from './auth/metadata-route.js';
import { Endpoints } from './endpoint.js';
import { BodyReader } from './http/body-reader.js';
import { GuardRecheck } from './http/guard-recheck.js';
import { StdioGateway } from './stdio/stdio-gateway.js';
import { GATEWAY_ROUTES, GATEWAY_SETTINGS } from './tokens.js';
import { ToolGateway } from './tool-gateway.js';
import { ToolGatewayController } from './tool-gateway.controller.js';
import {
  gatewayOptions,
  type GatewaySettings,
  gatewaySettings,
  type ToolGatewayOptions,
  type ToolGatewayRoutes,
} from './tool-gateway.options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolGatewayOptions>({ moduleName: 'ToolGateway' })
    .setClassMethodName('forRoot')
    .build();

/**
 * Serves the application's tools to MCP clients, with the same decision, search, approvals and audit as everywhere.
 *
 * ```ts
 * ToolGatewayModule.forRoot({ path: 'mcp', guards: [AuthGuard], imports: [AuthModule] })
 * ```
 *
 * Without a `path` it only has the providers for controllers that extend `ToolGatewayController`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` at boot for a wrong option, and for a `path` with neither `guards`,
 *   `oauth`, `tokens` nor `anonymous: true`
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    { provide: GATEWAY_ROUTES, useValue: {} },
    { provide: GATEWAY_SETTINGS, inject: [MODULE_OPTIONS_TOKEN, GATEWAY_ROUTES], useFactory: settingsOf },
    Endpoints,
    BodyReader,
    BearerCallers,
    MetadataRoute,
    GuardRecheck,
    ToolGateway,
    StdioGateway,
  ],
  exports: [ToolGateway, StdioGateway, BearerCallers],
})
export class ToolGatewayModule extends ConfigurableModuleClass {
  /** @param options path and guards of the endpoint, and how it serves */
  static override forRoot(options: ToolGatewayOptions & ToolGatewayRoutes): DynamicModule {
    const { path, guards, anonymous, imports = [], decorators, ...served } = options;
    settingsOf(served, { path, guards, anonymous });
    return { ...super.forRoot(served), imports, controllers: mounted({ path, guards, anonymous, decorators }) };
  }

  /** Like `forRoot`, with options that are injected or awaited: `{ path, guards, imports, inject, useFactory }`. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE & ToolGatewayRoutes): DynamicModule {
    const { path, guards, anonymous, decorators, ...served } = options;
    const { providers = [], ...module } = super.forRootAsync(served);
    return {
      ...module,
      // The options are not known before the boot.
      providers: [...providers, { provide: GATEWAY_ROUTES, useValue: { path, guards, anonymous } }],
      controllers: mounted({ path, guards, anonymous, decorators }),
    };
  }
}

function settingsOf(options: ToolGatewayOptions, routes: ToolGatewayRoutes): GatewaySettings {
  const settings = gatewaySettings(parseOptions(gatewayOptions, options, 'ToolGatewayModule.forRoot()'));
  checkAuthentication(routes, settings);
  return settings;
}

function mounted({ path, guards, anonymous = false, decorators = [] }: ToolGatewayRoutes): Type[] {
  if (path === undefined) {
    if (guards === undefined && !anonymous) return [];
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolGatewayModule serves only under a path.', {
      hint: 'Set path, for example "mcp"; or leave guards and anonymous out too.',
    });
  }
  class McpController extends ToolGatewayController {}
  applyDecorators(Controller(path), UseGuards(...(guards ?? [])), ...decorators)(McpController);
  return [McpController];
}
