import { parseOptions, StorePlace } from '@tool-search/core/internal';
import { DiscoveryModule } from '@nestjs/core';
import { ConfigurableModuleBuilder, type DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { isToolSearchError } from '@tool-search/core';
import {
  ActivationStore,
  ControlStore,
  DefinitionStore,
  ExampleQueryStore,
  HeldResultStore,
  LearnedQueryStore,
  LimitStore,
  PausedRunStore,
  SearchCache,
  SearchGapStore,
  TokenLedgerStore,
  ToolCallStore,
  UserCredentialStore,
} from '@tool-search/core/stores';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { ActivationScopeEntity } from './activation/activation-scope.entity.js';
import { ActivationScopeRepository } from './activation/activation-scope.repository.js';
import { ActivationEntity } from './activation/activation.entity.js';
import { ActivationRepository } from './activation/activation.repository.js';
import { CallEntity } from './calls/call.entity.js';
import { CallRepository } from './calls/call.repository.js';
import { TypeOrmToolCallStore } from './calls/typeorm-tool-call.store.js';
import { AuditEntryEntity } from './control/audit-entry.entity.js';
import { AuditEntryRepository } from './control/audit-entry.repository.js';
import { ControlInstanceEntity } from './control/control-instance.entity.js';
import { ControlInstanceRepository } from './control/control-instance.repository.js';
import { ControlRecordEntity } from './control/control-record.entity.js';
import { ControlRecordRepository } from './control/control-record.repository.js';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { createDataSource } from './database/create-data-source.js';
import {
  dataSourceOptions,
  typeOrmOptions,
  ENTITIES,
  type ToolSearchTypeOrmOptions,
} from './database/data-source-options.js';
import { DefinitionSourceEntity } from './definitions/definition-source.entity.js';
import { DefinitionSourceRepository } from './definitions/definition-source.repository.js';
import { DefinitionEntity } from './definitions/definition.entity.js';
import { DefinitionRepository } from './definitions/definition.repository.js';
import { TypeOrmDefinitionStore } from './definitions/typeorm-definition.store.js';
import { placeOf } from './database/place-of.js';
import { SoleConnection } from './database/sole-connection.js';
import { TOOL_SEARCH_DATA_SOURCE } from './database/tool-search-data-source.js';
import { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';
import { TypeOrmExampleQueryStore } from './example-queries/typeorm-example-query.store.js';
import { HeldResultEntity } from './held-results/held-result.entity.js';
import { HeldResultRepository } from './held-results/held-result.repository.js';
import { TypeOrmHeldResultStore } from './held-results/typeorm-held-result.store.js';
import { LearnedQueryEntity } from './learned-queries/learned-query.entity.js';
import { LearnedQueryRepository } from './learned-queries/learned-query.repository.js';
import { TypeOrmLearnedQueryStore } from './learned-queries/typeorm-learned-query.store.js';
import { TypeOrmLimitStore } from './limits/typeorm-limit.store.js';
import { PausedRunEntity } from './paused-runs/paused-run.entity.js';
import { PausedRunRepository } from './paused-runs/paused-run.repository.js';
import { TypeOrmPausedRunStore } from './paused-runs/typeorm-paused-run.store.js';
import { TypeOrmSearchCache } from './search-cache/typeorm-search-cache.js';
import { SearchGapEntity } from './usage/search-gap.entity.js';
import { SearchGapRepository } from './usage/search-gap.repository.js';
import { TokenLedgerEntity } from './usage/token-ledger.entity.js';
import { TokenLedgerRepository } from './usage/token-ledger.repository.js';
import { TypeOrmSearchGapStore } from './usage/typeorm-search-gap.store.js';
import { TypeOrmUserCredentialStore } from './user-credentials/typeorm-user-credential.store.js';
import { TypeOrmTokenLedgerStore } from './usage/typeorm-token-ledger.store.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolSearchTypeOrmOptions>({ moduleName: 'ToolSearchTypeOrm' })
    .setClassMethodName('forRoot')
    .build();

const STORES = [
  [ActivationStore, TypeOrmActivationStore],
  [ExampleQueryStore, TypeOrmExampleQueryStore],
  [LearnedQueryStore, TypeOrmLearnedQueryStore],
  [LimitStore, TypeOrmLimitStore],
  [PausedRunStore, TypeOrmPausedRunStore],
  [HeldResultStore, TypeOrmHeldResultStore],
  [ControlStore, TypeOrmControlStore],
  [DefinitionStore, TypeOrmDefinitionStore],
  [SearchCache, TypeOrmSearchCache],
  [TokenLedgerStore, TypeOrmTokenLedgerStore],
  [ToolCallStore, TypeOrmToolCallStore],
  [SearchGapStore, TypeOrmSearchGapStore],
  [UserCredentialStore, TypeOrmUserCredentialStore],
] as const;

/** Makes a repository with methods of its own injectable by its class. */
function repositoryOf<Entity extends ObjectLiteral>(
  repository: new (target: EntityTarget<Entity>, manager: EntityManager) => Repository<Entity>,
  entity: EntityTarget<Entity>,
) {
  return {
    provide: repository,
    inject: [getDataSourceToken(TOOL_SEARCH_DATA_SOURCE)],
    useFactory: ({ manager }: DataSource) => new repository(entity, manager),
  };
}

const REPOSITORIES = [
  repositoryOf(ActivationRepository, ActivationEntity),
  repositoryOf(ActivationScopeRepository, ActivationScopeEntity),
  repositoryOf(AuditEntryRepository, AuditEntryEntity),
  repositoryOf(CallRepository, CallEntity),
  repositoryOf(ControlInstanceRepository, ControlInstanceEntity),
  repositoryOf(ControlRecordRepository, ControlRecordEntity),
  repositoryOf(DefinitionRepository, DefinitionEntity),
  repositoryOf(DefinitionSourceRepository, DefinitionSourceEntity),
  repositoryOf(HeldResultRepository, HeldResultEntity),
  repositoryOf(LearnedQueryRepository, LearnedQueryEntity),
  repositoryOf(PausedRunRepository, PausedRunEntity),
  repositoryOf(SearchGapRepository, SearchGapEntity),
  repositoryOf(TokenLedgerRepository, TokenLedgerEntity),
];

/**
 * Makes these durable: activations, paused runs, results that were too large for a model, counters of limits, learned and
 * written example queries, operators' decisions with their audit trail, accepted tool definitions, the record of calls,
 * token counts, search gaps and the search cache. Imported without options it uses
 * `.tool-search/tool-search.sqlite`; `forRoot` and `forRootAsync` set another location. It owns a DataSource named
 * `tool-search` with its own tables, connects and migrates it when the application starts, and closes it on shutdown.
 *
 * Repositories can be injected anywhere in the application, to read with queries of its own: `ActivationRepository`,
 * `CallRepository` and others with the statements of their stores, and those of all other exported entities by
 * `@InjectRepository(ExampleQueryEntity, TOOL_SEARCH_DATA_SOURCE)`.
 * Write columns and tables of the application alone. All others are written by the services, which take the locks, keep
 * the limits and write the audit trail.
 *
 * @throws ToolSearchError at boot: `INVALID_CONFIGURATION`, also for a wrong PostgreSQL address and a migration that
 *   fails, or `STORE_UNAVAILABLE` after ten attempts to reach PostgreSQL
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      name: TOOL_SEARCH_DATA_SOURCE,
      // Nest resolves it although it is declared below, because this module is global and exports it.
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: ToolSearchTypeOrmOptions) => ({
        ...dataSourceOptions(options),
        // @nestjs/typeorm 11 closes the data source that it resolves by this name.
        name: TOOL_SEARCH_DATA_SOURCE,
        toRetry: (error: unknown) => isToolSearchError(error) && error.code === 'STORE_UNAVAILABLE',
      }),
      dataSourceFactory: createDataSource,
    }),
    TypeOrmModule.forFeature(ENTITIES, TOOL_SEARCH_DATA_SOURCE),
    DiscoveryModule,
  ],
  providers: [
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    SoleConnection,
    {
      provide: StorePlace,
      inject: [getDataSourceToken(TOOL_SEARCH_DATA_SOURCE)],
      useFactory: ({ options }: DataSource): StorePlace => ({ text: placeOf(options) }),
    },
    ...REPOSITORIES,
    ...STORES.flatMap(([port, store]) => [store, { provide: port, useExisting: store }]),
  ],
  exports: [MODULE_OPTIONS_TOKEN, TypeOrmModule, ...REPOSITORIES, ...STORES.map(([port]) => port)],
})
export class ToolSearchTypeOrmModule extends ConfigurableModuleClass {
  /** @param options location of all stores */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    parseOptions(typeOrmOptions, options, 'ToolSearchTypeOrmModule.forRoot()');
    return super.forRoot(options);
  }

  /** Like `forRoot`, with options that are injected or awaited. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
