import { type DynamicModule, Inject, Injectable, Module, type OnModuleInit, Scope } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule, ModuleRef, REQUEST } from '@nestjs/core';
import { isObject } from '../../json/json.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { parseOptions } from '../../options/parse-options.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { Toolbox } from '../../toolbox/toolbox.js';
import { DecoratedToolSource } from '../tools/decorated-tools.js';
import { DiscoveredCallPolicies } from '../tools/discovered-call-policies.js';
import { DiscoveredInterceptors } from '../tools/discovered-interceptors.js';
import { DiscoveredVisibility } from '../tools/discovered-visibility.js';
import { ToolSearchErrorFilter } from '../request/error.filter.js';
import { loggedEvents } from './event-log.js';
import { RUNTIME_PARTS, RUNTIME_PROVIDER, RuntimePartsCheck } from './runtime.providers.js';
import { GIVEN_STORES_PROVIDER, StoreProviders } from './store-providers.js';
import {
  type ASYNC_OPTIONS_TYPE,
  CHECKED_OPTIONS,
  ConfigurableModuleClass,
  type OPTIONS_TYPE,
  TOOL_SEARCH_OPTIONS,
} from './tool-search.module-definition.js';
import {
  checkedOptions,
  featureOptions,
  type ToolSearchFeature,
  type ToolSearchModuleOptions,
} from './tool-search.options.js';
import { ToolSearchService } from './tool-search.service.js';
import { GuardOrder } from '../tools/guard-order.js';
import { UnguardedHandlers } from '../tools/unguarded-handlers.js';

const FEATURE = Symbol('FEATURE');

@Injectable()
class FeatureRegistrar implements OnModuleInit {
  constructor(
    @Inject(FEATURE) private readonly feature: ToolSearchFeature,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    // Looked up instead of injected, because the module need not be global.
    const service = this.moduleRef.get(ToolSearchService, { strict: false });
    service.register(this.feature.sources, this.feature.policy);
  }
}

@Module({})
class ToolSearchFeatureModule {}

/** Discovery, filtering and deferred activation of tools for the LLM agents of a NestJS backend. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    // Replaced by forRoot(); null when the class itself is imported.
    { provide: TOOL_SEARCH_OPTIONS, useValue: null },
    {
      provide: CHECKED_OPTIONS,
      inject: [TOOL_SEARCH_OPTIONS],
      useFactory: (options: ToolSearchModuleOptions | null) => {
        if (options === null) throw withoutOptions('imports: [ToolSearchModule]');
        return checkedOptions(options);
      },
    },
    { provide: ToolEvents, useFactory: loggedEvents },
    GIVEN_STORES_PROVIDER,
    StoreProviders,
    RUNTIME_PROVIDER,
    ...RUNTIME_PARTS,
    RuntimePartsCheck,
    {
      provide: Toolbox,
      scope: Scope.REQUEST,
      inject: [ToolSearchService, REQUEST],
      // Guards have not run yet, so the toolbox resolves its context at its first use.
      useFactory: (service: ToolSearchService, request: object) => service.forRequest(request),
    },
    DecoratedToolSource,
    DiscoveredCallPolicies,
    DiscoveredInterceptors,
    DiscoveredVisibility,
    ToolSearchService,
    GuardOrder,
    UnguardedHandlers,
    { provide: APP_FILTER, useClass: ToolSearchErrorFilter },
  ],
  exports: [ToolEvents, ...RUNTIME_PARTS, Toolbox, ToolSearchService],
})
export class ToolSearchModule extends ConfigurableModuleClass {
  /** @throws ToolSearchError `INVALID_CONFIGURATION` without options */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    if (!isObject(options)) throw withoutOptions('ToolSearchModule.forRoot()');
    return super.forRoot(options);
  }

  /** @throws ToolSearchError `INVALID_CONFIGURATION` without options */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    if (!isObject(options)) throw withoutOptions('ToolSearchModule.forRootAsync()');
    return super.forRootAsync(options);
  }

  /** Adds a feature's sources to the application's catalog. Its policy applies to these sources only. */
  static forFeature(feature: ToolSearchFeature): DynamicModule {
    parseOptions(featureOptions, feature, 'ToolSearchModule.forFeature()');
    return { module: ToolSearchFeatureModule, providers: [{ provide: FEATURE, useValue: feature }, FeatureRegistrar] };
  }
}

function withoutOptions(where: string): ToolSearchError {
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `${where} has no options, and somebody has to say who is asking.`,
    { hint: 'Import ToolSearchModule.forRoot({ context: (request) => ({ tenantId }) }) once; it is global.' },
  );
}
