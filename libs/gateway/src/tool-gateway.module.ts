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
import { parseOptions } from '@tool-search/core/source';
import { BodyReader } from './http/body-reader.js';
import { GuardRecheck } from './http/guard-recheck.js';
import { GATEWAY_SETTINGS } from './tokens.js';
import { ToolGateway } from './tool-gateway.js';
import { ToolGatewayController } from './tool-gateway.controller.js';
import {
  gatewayOptions,
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
 * @throws ToolSearchError `INVALID_CONFIGURATION` at boot for a wrong option, and for a `path` with neither `guards` nor
 *   `anonymous: true`
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    { provide: GATEWAY_SETTINGS, inject: [MODULE_OPTIONS_TOKEN], useFactory: settingsOf },
    BodyReader,
    GuardRecheck,
    ToolGateway,
  ],
  exports: [ToolGateway],
})
export class ToolGatewayModule extends ConfigurableModuleClass {
  /** @param options path and guards of the endpoint, and how it serves */
  static override forRoot(options: ToolGatewayOptions & ToolGatewayRoutes): DynamicModule {
    const { path, guards, anonymous, imports = [], decorators, ...served } = options;
    settingsOf(served);
    return { ...super.forRoot(served), imports, controllers: mounted({ path, guards, anonymous, decorators }) };
  }

  /** Like `forRoot`, with options that are injected or awaited: `{ path, guards, imports, inject, useFactory }`. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE & ToolGatewayRoutes): DynamicModule {
    const { path, guards, anonymous, decorators, ...served } = options;
    return { ...super.forRootAsync(served), controllers: mounted({ path, guards, anonymous, decorators }) };
  }
}

function settingsOf(options: ToolGatewayOptions) {
  return gatewaySettings(parseOptions(gatewayOptions, options, 'ToolGatewayModule.forRoot()'));
}

function mounted({ path, guards, anonymous = false, decorators = [] }: ToolGatewayRoutes): Type[] {
  if (path === undefined) {
    if (guards === undefined && !anonymous) return [];
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolGatewayModule serves only under a path.', {
      hint: 'Set path, for example "mcp"; or leave guards and anonymous out too.',
    });
  }
  if (guards === undefined && !anonymous) {
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolGatewayModule.forRoot({ path }) needs guards.', {
      hint: 'Name the guards that authenticate callers; [] if global guards do; or set anonymous: true.',
    });
  }
  class McpController extends ToolGatewayController {}
  applyDecorators(Controller(path), UseGuards(...(guards ?? [])), ...decorators)(McpController);
  return [McpController];
}
