import {
  applyDecorators,
  type CanActivate,
  ConfigurableModuleBuilder,
  type DynamicModule,
  Global,
  Module,
  SetMetadata,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryModule } from '@nestjs/core';
import { ThrottlerStorageService } from '@nestjs/throttler';
import { ToolSearchError } from '@tool-search/core';
import { parseOptions } from '@tool-search/core/internal';
import { AdminRouteCheck } from './access/admin-route-check.js';
import { ADMIN_CONTROLLER } from './access/admin-route.decorator.js';
import { ADMIN_LIMITS, ADMIN_THROTTLER_STORAGE } from './access/admin-throttler.guard.js';
import { ActivationsController } from './activations/activations.controller.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { CallsController } from './calls/calls.controller.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { DryRunController } from './dry-run/dry-run.controller.js';
import { ExampleQueriesController } from './example-queries/example-queries.controller.js';
import { ExplainController } from './explain/explain.controller.js';
import { KillSwitchesController } from './kill-switches/kill-switches.controller.js';
import { DeprecationsController } from './deprecations/deprecations.controller.js';
import { LimitsController } from './limits/limits.controller.js';
import { PoliciesController } from './policies/policies.controller.js';
import { BlastRadius } from './previews/blast-radius.js';
import { PreviewsController } from './previews/previews.controller.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { SearchCacheController } from './search-cache/search-cache.controller.js';
import { StatusController } from './status/status.controller.js';
import { adminOptions, type ToolAdminOptions, type ToolAdminRoutes } from './tool-admin.options.js';
import { UserCredentialsController } from './user-credentials/user-credentials.controller.js';
import { UsageController } from './usage/usage.controller.js';

/** All controllers of this package: what `ToolAdminModule.forRoot({ path, guards })` registers. */
export const adminControllers: readonly Type[] = [
  StatusController,
  KillSwitchesController,
  PoliciesController,
  LimitsController,
  ProfilesController,
  DeprecationsController,
  ExplainController,
  CatalogController,
  PreviewsController,
  QuarantineController,
  ExampleQueriesController,
  ApprovalsController,
  ActivationsController,
  AuditController,
  CallsController,
  DryRunController,
  UsageController,
  SearchCacheController,
  UserCredentialsController,
];

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolAdminOptions>({ moduleName: 'ToolAdmin' }).setClassMethodName('forRoot').build();

/**
 * The REST routes of operators. Each requires a context with `admin: true` and counts against limits of its own,
 * separate from any throttler of the application.
 *
 * ```ts
 * ToolAdminModule.forRoot({ path: 'admin/tools', guards: [AuthGuard], imports: [AuthModule] })
 * ```
 *
 * Without a `path` it only has the providers for controllers that extend those of this package.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` at boot for a limit that is not a positive integer, a `path` without
 *   `guards`, and a route of such a controller that has neither `@AdminRead` nor `@AdminWrite`
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AdminRouteCheck,
    BlastRadius,
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    { provide: ADMIN_LIMITS, inject: [MODULE_OPTIONS_TOKEN], useFactory: limitsOf },
    { provide: ADMIN_THROTTLER_STORAGE, useClass: ThrottlerStorageService },
  ],
  exports: [ADMIN_LIMITS, ADMIN_THROTTLER_STORAGE, BlastRadius],
})
export class ToolAdminModule extends ConfigurableModuleClass {
  /** @param options path and guards of the routes; limits per operator */
  static override forRoot(options: ToolAdminOptions & ToolAdminRoutes): DynamicModule {
    const { path, guards, imports = [], decorators, controllers, ...limits } = options;
    limitsOf(limits);
    const mounted = mountedControllers({ path, guards, decorators, controllers });
    return { ...super.forRoot(limits), imports, controllers: mounted };
  }

  /** Like `forRoot`, with limits that are injected or awaited: `{ path, guards, imports, inject, useFactory }`. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE & ToolAdminRoutes): DynamicModule {
    const { path, guards, decorators, controllers, ...limits } = options;
    const mounted = mountedControllers({ path, guards, decorators, controllers });
    return { ...super.forRootAsync(limits), controllers: mounted };
  }
}

function limitsOf(options: ToolAdminOptions) {
  return parseOptions(adminOptions, options, 'ToolAdminModule.forRoot()');
}

function mountedControllers({ path, guards, decorators = [], controllers }: ToolAdminRoutes): Type[] {
  if (path === undefined) {
    if (guards === undefined && controllers === undefined) return [];
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolAdminModule registers its routes only under a path.', {
      hint: 'Set path, for example "admin/tools"; or leave guards and controllers out too.',
    });
  }
  if (!Array.isArray(guards)) {
    throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolAdminModule.forRoot({ path }) needs guards.', {
      hint: 'Name the guards that authenticate operators. Set [] only if global guards authenticate every request.',
    });
  }
  return (controllers ?? adminControllers).map((controller) => {
    // A class of its own, because decorators on the exported class would affect every application of the process.
    const Mounted = { [controller.name]: class extends controller {} }[controller.name] as Type;
    const own: readonly Type<CanActivate>[] = Reflect.getMetadata(GUARDS_METADATA, controller) ?? [];
    applyDecorators(
      // Not Controller(path), which would reset version, host and scope of an application's class.
      SetMetadata(PATH_METADATA, path),
      SetMetadata(ADMIN_CONTROLLER, true),
      // UseGuards appends: the guards that authenticate must run before the class's own.
      SetMetadata(GUARDS_METADATA, []),
      UseGuards(...guards, ...own),
      ...decorators,
    )(Mounted);
    return Mounted;
  });
}
