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
import { ToolSearchError } from '@tool-search/core';
import { parseOptions } from '@tool-search/core/internal';
import { ConsoleFiles } from './console-files.js';
import { SlashRoute } from './slash-route.js';
import { CONSOLE_SETTINGS } from './tokens.js';
import { ToolConsoleController } from './tool-console.controller.js';
import { consoleOptions, type ToolConsoleOptions, type ToolConsoleRoutes } from './tool-console.options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolConsoleOptions>({ moduleName: 'ToolConsole' })
    .setClassMethodName('forRoot')
    .build();

/**
 * Serves the console for operators. The page holds no data: everything that it shows comes from the routes of
 * `ToolAdminModule`, with the operator's own credentials.
 *
 * ```ts
 * ToolConsoleModule.forRoot({ path: 'console', api: '../admin/tools' })
 * ```
 *
 * Without a `path` it only has the providers for controllers that extend `ToolConsoleController`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` at boot for a wrong option, and for guards without a `path`
 */
@Global()
@Module({
  providers: [
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    { provide: CONSOLE_SETTINGS, inject: [MODULE_OPTIONS_TOKEN], useFactory: settingsOf },
    ConsoleFiles,
    SlashRoute,
  ],
  exports: [ConsoleFiles],
})
export class ToolConsoleModule extends ConfigurableModuleClass {
  /** @param options path and guards of the page, and where the routes for operators are */
  static override forRoot(options: ToolConsoleOptions & ToolConsoleRoutes): DynamicModule {
    const { path, guards, imports = [], decorators, ...settings } = options;
    settingsOf(settings);
    return { ...super.forRoot(settings), imports, controllers: mounted({ path, guards, decorators }) };
  }

  /** Like `forRoot`, with options that are injected or awaited: `{ path, guards, imports, inject, useFactory }`. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE & ToolConsoleRoutes): DynamicModule {
    const { path, guards, decorators, ...settings } = options;
    return { ...super.forRootAsync(settings), controllers: mounted({ path, guards, decorators }) };
  }
}

function settingsOf(options: ToolConsoleOptions) {
  return parseOptions(consoleOptions, options, 'ToolConsoleModule.forRoot()');
}

function mounted({ path, guards, decorators = [] }: ToolConsoleRoutes): Type[] {
  if (path === undefined) {
    if (guards === undefined && decorators.length === 0) return [];
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolConsoleModule serves its page only under a path.', {
      hint: 'Set path, for example "console"; or leave guards and decorators out too.',
    });
  }
  class ConsoleController extends ToolConsoleController {}
  applyDecorators(Controller(path), UseGuards(...(guards ?? [])), ...decorators)(ConsoleController);
  return [ConsoleController];
}
