import { type DynamicModule, Inject, Injectable, Module, type OnModuleInit, Scope } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule, ModuleRef, REQUEST } from '@nestjs/core';
import { ControlPlane } from '../../access/control/control-plane.js';
import { ToolGate } from '../../access/tool-gate.js';
import { ToolPolicies } from '../../access/policies/tool-policies.js';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import { ActivationStore } from '../../activation/activation-store.js';
import { MemoryActivationStore } from '../../activation/memory-activation-store.js';
import { ToolActivations } from '../../activation/tool-activations.js';
import { DefinitionStore } from '../../catalog/pinning/definition-store.js';
import { ToolCatalog } from '../../catalog/tool-catalog.js';
import { exposureMode } from '../../exposure/exposure-mode.js';
import { exposureOptions } from '../../exposure/assemble-toolbox-services.js';
import { TokenLedger } from '../../exposure/ledger/token-ledger.js';
import { reservedNames, withPreset } from '../../exposure/with-preset.js';
import { assembleToolIndex } from '../../search/assemble-tool-index.js';
import { LearnedQueryStore } from '../../search/learned/learned-query-store.js';
import { MemoryLearnedQueryStore } from '../../search/learned/memory-learned-query-store.js';
import { SearchCache } from '../../search/search-cache.js';
import type { ToolIndex } from '../../search/tool-index.js';
import { isObject } from '../../json/json.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { LearnedQueries } from '../../toolbox/analytics/learned-queries.js';
import { SearchGaps } from '../../toolbox/analytics/search-gaps.js';
import { TenantSources } from '../../toolbox/tenants/tenant-sources.js';
import { Toolbox } from '../../toolbox/toolbox.js';
import { checkOptions } from './check-options.js';
import { DecoratedToolSource } from '../tools/decorated-tools.js';
import { DiscoveredVisibility } from '../tools/discovered-visibility.js';
import { ToolSearchErrorFilter } from '../request/error.filter.js';
import { logCacheFault, loggedEvents, logLearningFault, policyFaultLog } from './event-log.js';
import { GOVERNANCE } from './governance.providers.js';
import { checkKeys } from './known-keys.js';
import {
  type ASYNC_OPTIONS_TYPE,
  CHECKED_OPTIONS,
  ConfigurableModuleClass,
  type OPTIONS_TYPE,
  TOOL_INDEX,
  TOOL_SEARCH_OPTIONS,
} from './tool-search.module-definition.js';
import type { SourceOption, ToolSearchModuleOptions } from './tool-search.options.js';
import { ToolSearchService } from './tool-search.service.js';
import { TOOLBOX_PARTS } from './toolbox.providers.js';
import { UnguardedHandlers } from '../tools/unguarded-handlers.js';

/** Options of `ToolSearchModule.forFeature()`. */
export interface ToolSearchFeature {
  readonly sources: readonly SourceOption[];
  /** Applies to these sources' tools only. */
  readonly policy?: ToolPolicy;
}

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
        checkOptions(options);
        return withPreset(options);
      },
    },
    { provide: ToolEvents, useFactory: loggedEvents },
    {
      provide: ToolPolicies,
      inject: [CHECKED_OPTIONS, TOOL_INDEX],
      useFactory: (options: ToolSearchModuleOptions, index: ToolIndex | null) =>
        new ToolPolicies(options.policy, index ?? undefined),
    },
    {
      provide: ToolGate,
      inject: [CHECKED_OPTIONS, ToolPolicies, DiscoveredVisibility, ControlPlane],
      useFactory: (
        options: ToolSearchModuleOptions,
        policies: ToolPolicies,
        visibility: DiscoveredVisibility,
        control: ControlPlane,
      ) => {
        const { deadlineMs } = options.visibility ?? {};
        return new ToolGate({
          policies,
          visibility: () => visibility.policies(),
          control,
          reportPolicyFault: policyFaultLog(),
          ...(deadlineMs !== undefined && { deadlineMs }),
        });
      },
    },
    ...GOVERNANCE,
    {
      provide: TOOL_INDEX,
      // A persistence module provides the cache for the whole application.
      inject: [CHECKED_OPTIONS, ToolEvents, { token: SearchCache, optional: true }],
      // Nothing is searched when all tools are listed, so no index is built.
      useFactory: (options: ToolSearchModuleOptions, events: ToolEvents, cache?: SearchCache) =>
        exposureMode(exposureOptions(options.exposure).mode ?? 'auto') === 'all'
          ? null
          : assembleToolIndex(options.search ?? {}, {
              index: options.index,
              cache,
              onCacheFault: logCacheFault,
              events,
            }),
    },
    {
      provide: ToolCatalog,
      // A persistence module provides the store for the whole application.
      inject: [CHECKED_OPTIONS, TOOL_INDEX, ToolEvents, { token: DefinitionStore, optional: true }],
      useFactory: (
        options: ToolSearchModuleOptions,
        index: ToolIndex | null,
        events: ToolEvents,
        definitions?: DefinitionStore,
      ) => {
        const { defaultLoading, alwaysLoaded } = options;
        const catalogOptions = {
          ...options.catalog,
          ...(defaultLoading !== undefined && { defaultLoading }),
          ...(alwaysLoaded !== undefined && { alwaysLoaded }),
          takenNames: reservedNames(options),
        };
        return new ToolCatalog(index ?? undefined, events, catalogOptions, definitions);
      },
    },
    {
      provide: ToolActivations,
      // A persistence module provides the store for the whole application.
      inject: [CHECKED_OPTIONS, ToolEvents, { token: ActivationStore, optional: true }],
      useFactory: (options: ToolSearchModuleOptions, events: ToolEvents, store?: ActivationStore) =>
        new ToolActivations(
          store ?? new MemoryActivationStore(),
          new MemoryActivationStore(),
          events,
          options.activation,
        ),
    },
    {
      provide: LearnedQueries,
      inject: [CHECKED_OPTIONS, { token: LearnedQueryStore, optional: true }],
      useFactory: (options: ToolSearchModuleOptions, store?: LearnedQueryStore) =>
        new LearnedQueries(store ?? new MemoryLearnedQueryStore(), options.search?.learning, logLearningFault),
    },
    ...TOOLBOX_PARTS,
    {
      provide: Toolbox,
      scope: Scope.REQUEST,
      inject: [ToolSearchService, REQUEST],
      // Guards have not run yet, so the toolbox resolves its context at its first use.
      useFactory: (service: ToolSearchService, request: object) => service.forRequest(request),
    },
    DecoratedToolSource,
    DiscoveredVisibility,
    ToolSearchService,
    UnguardedHandlers,
    { provide: APP_FILTER, useClass: ToolSearchErrorFilter },
  ],
  exports: [
    ToolEvents,
    ToolPolicies,
    ToolGate,
    ...GOVERNANCE,
    ToolCatalog,
    ToolActivations,
    LearnedQueries,
    TokenLedger,
    SearchGaps,
    TenantSources,
    Toolbox,
    ToolSearchService,
  ],
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
    checkKeys(feature, ['sources', 'policy'], 'ToolSearchModule.forFeature()');
    if (!Array.isArray(feature.sources)) {
      throw new ToolSearchError('INVALID_CONFIGURATION', 'ToolSearchModule.forFeature(): sources must be a list.');
    }
    return {
      module: ToolSearchFeatureModule,
      providers: [{ provide: FEATURE, useValue: feature }, FeatureRegistrar],
    };
  }
}

function withoutOptions(where: string): ToolSearchError {
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `${where} has no options, and somebody has to say who is asking.`,
    {
      hint: 'Import ToolSearchModule.forRoot({ context: (request) => ({ tenantId }) }) once; it is global.',
    },
  );
}
