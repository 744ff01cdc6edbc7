import { ConfigurableModuleBuilder, type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  ActivationStore,
  ControlStore,
  DefinitionStore,
  isToolSearchError,
  LearnedQueryStore,
  PausedRunStore,
  SearchCache,
  SearchGapStore,
  TokenLedgerStore,
} from '@tool-search/core';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { createDataSource } from './database/create-data-source.js';
import {
  checkTypeOrmOptions,
  dataSourceOptions,
  type ToolSearchTypeOrmOptions,
} from './database/data-source-options.js';
import { TypeOrmDefinitionStore } from './definitions/typeorm-definition.store.js';
import { TOOL_SEARCH_DATA_SOURCE } from './database/tool-search-data-source.js';
import { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';
import { TypeOrmLearnedQueryStore } from './learned-queries/typeorm-learned-query.store.js';
import { TypeOrmPausedRunStore } from './paused-runs/typeorm-paused-run.store.js';
import { TypeOrmSearchCache } from './search-cache/typeorm-search-cache.js';
import { TypeOrmSearchGapStore } from './usage/typeorm-search-gap.store.js';
import { TypeOrmTokenLedgerStore } from './usage/typeorm-token-ledger.store.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ToolSearchTypeOrmOptions>({ moduleName: 'ToolSearchTypeOrm' })
    .setClassMethodName('forRoot')
    .build();

/**
 * Makes these durable: activations, paused runs, learned queries, operators' decisions with their audit trail, accepted
 * tool definitions, token counts, search gaps and the search cache. Imported without options it uses
 * `.tool-search/tool-search.sqlite`; `forRoot` and `forRootAsync` set another location. It owns a DataSource named
 * `tool-search` with its own tables, connects and migrates it when the application starts, and closes it on shutdown.
 *
 * @throws ToolSearchError at boot: `INVALID_CONFIGURATION`, also for a wrong PostgreSQL address, or `STORE_UNAVAILABLE`
 *   after ten attempts to reach PostgreSQL
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
  ],
  providers: [
    { provide: MODULE_OPTIONS_TOKEN, useValue: {} },
    TypeOrmActivationStore,
    { provide: ActivationStore, useExisting: TypeOrmActivationStore },
    TypeOrmLearnedQueryStore,
    { provide: LearnedQueryStore, useExisting: TypeOrmLearnedQueryStore },
    TypeOrmPausedRunStore,
    { provide: PausedRunStore, useExisting: TypeOrmPausedRunStore },
    TypeOrmControlStore,
    { provide: ControlStore, useExisting: TypeOrmControlStore },
    TypeOrmDefinitionStore,
    { provide: DefinitionStore, useExisting: TypeOrmDefinitionStore },
    TypeOrmSearchCache,
    { provide: SearchCache, useExisting: TypeOrmSearchCache },
    TypeOrmTokenLedgerStore,
    { provide: TokenLedgerStore, useExisting: TypeOrmTokenLedgerStore },
    TypeOrmSearchGapStore,
    { provide: SearchGapStore, useExisting: TypeOrmSearchGapStore },
  ],
  exports: [
    MODULE_OPTIONS_TOKEN,
    ActivationStore,
    LearnedQueryStore,
    PausedRunStore,
    ControlStore,
    DefinitionStore,
    SearchCache,
    TokenLedgerStore,
    SearchGapStore,
  ],
})
export class ToolSearchTypeOrmModule extends ConfigurableModuleClass {
  /** @param options location of all stores */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    checkTypeOrmOptions(options);
    return super.forRoot(options);
  }

  /** Like `forRoot`, with options that are injected or awaited. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
