// Any new export here becomes public API. Named exports only.
export { createDataSource } from './database/create-data-source.js';
export { dataSourceOptions, type ToolSearchTypeOrmOptions } from './database/data-source-options.js';
export { sqliteDriver, type SqliteDriver } from './database/sqlite-driver.js';
export { TOOL_SEARCH_DATA_SOURCE } from './database/tool-search-data-source.js';
export { ToolSearchTypeOrmModule } from './tool-search-typeorm.module.js';
export { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';
export { TypeOrmControlStore } from './control/typeorm-control.store.js';
export { TypeOrmDefinitionStore } from './definitions/typeorm-definition.store.js';
export { TypeOrmLearnedQueryStore } from './learned-queries/typeorm-learned-query.store.js';
export { TypeOrmPausedRunStore } from './paused-runs/typeorm-paused-run.store.js';
export { TypeOrmSearchCache } from './search-cache/typeorm-search-cache.js';
export { TypeOrmSearchGapStore } from './usage/typeorm-search-gap.store.js';
export { TypeOrmTokenLedgerStore } from './usage/typeorm-token-ledger.store.js';
export { Fts5ToolIndex } from './fts5/fts5-tool-index.js';
export type { Fts5ToolIndexOptions } from './fts5/fts5-tool-index.options.js';
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './fts5/sqlite-database.js';
