import { ConfigurableModuleBuilder, type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ThrottlerStorageService } from '@nestjs/throttler';
import { checkKeys, ToolSearchError } from '@tool-search/core';
import { AdminRouteCheck } from './access/admin-route-check.js';
import { ADMIN_LIMITS, ADMIN_THROTTLER_STORAGE } from './access/admin-throttler.guard.js';
import type { ToolAdminOptions } from './tool-admin.options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolAdminOptions>({ moduleName: 'ToolAdmin' }).setClassMethodName('forRoot').build();

/**
 * The providers that `ToolAdminController` needs in addition to `ToolSearchModule`: its own request limits, separate
 * from any throttler of the application. Import it as it is, or use `forRoot` to change the limits.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` at boot for a limit that is not a positive integer, and for a route
 *   of a `ToolAdminController` that has neither `@AdminRead` nor `@AdminWrite`
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AdminRouteCheck,
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    { provide: ADMIN_LIMITS, inject: [MODULE_OPTIONS_TOKEN], useFactory: limitsOf },
    { provide: ADMIN_THROTTLER_STORAGE, useClass: ThrottlerStorageService },
  ],
  exports: [ADMIN_LIMITS, ADMIN_THROTTLER_STORAGE],
})
export class ToolAdminModule extends ConfigurableModuleClass {
  /** @param options limits per operator */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    limitsOf(options);
    return super.forRoot(options);
  }

  /** Like `forRoot`, with options that are injected or awaited. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}

const LIMITS = { writesPerMinute: 60, readsPerMinute: 600 };

function limitsOf(options: ToolAdminOptions): Required<ToolAdminOptions> {
  checkKeys(options, Object.keys(LIMITS), 'ToolAdminModule.forRoot()');
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new ToolSearchError('INVALID_CONFIGURATION', `ToolAdminModule.forRoot({ ${name} }) is not usable.`, {
      hint: `Give whole numbers from 1: ${Object.keys(LIMITS).join(', ')}.`,
    });
  }
  return { ...LIMITS, ...options };
}
