import { ToolSearchError } from '@tool-search/core';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationEntity } from './activation.entity.js';
import { LearnedQueryEntity } from './learned-query.entity.js';
import { CreateActivations } from './migrations/create-activations.js';
import { CreateLearnedQueries } from './migrations/create-learned-queries.js';
import { CreateSearchCache } from './migrations/create-search-cache.js';
import { SearchCacheEntryEntity } from './search-cache-entry.entity.js';
import { PostgresSearchCachePartEntity, SqliteSearchCachePartEntity } from './search-cache-part.entity.js';

/** Where activations and the search cache are kept: at most one of the three. Without any, in `.tool-search/tool-search.sqlite`. */
export interface ToolSearchTypeOrmOptions {
  /** A PostgreSQL address, `postgres://user:password@host:5432/database`. */
  readonly url?: string;
  /** Path of a SQLite file, created with its directory, or `:memory:`. One process only. */
  readonly database?: string;
  /**
   * A PostgreSQL DataSource of the application, for its address, schema and pool size: a second one with tables of its
   * own is opened beside it. It need not be initialized.
   */
  readonly dataSource?: DataSource;
}

const DEFAULT_DATABASE = '.tool-search/tool-search.sqlite';

/** Whatever the application does with its own tables, ours are ours: never synchronized, dropped, renamed or cached. */
const OURS = {
  migrations: [CreateActivations, CreateSearchCache, CreateLearnedQueries],
  migrationsTableName: 'tool_search_migrations',
  metadataTableName: 'tool_search_metadata',
  subscribers: [],
  synchronize: false,
  migrationsRun: false,
  dropSchema: false,
  entityPrefix: undefined,
  namingStrategy: undefined,
  isolationLevel: undefined,
  cache: false,
  // A statement may carry a part of an index, which no log should have to hold.
  logging: false,
  maxQueryExecutionTime: undefined,
} satisfies Partial<DataSourceOptions>;

const ENTITIES = [ActivationScopeEntity, ActivationEntity, LearnedQueryEntity, SearchCacheEntryEntity];

/**
 * Options of the library's own DataSource, with its entities and migrations. Opens nothing.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for more than one place, or one that cannot be used
 */
export function dataSourceOptions(options: ToolSearchTypeOrmOptions = {}): DataSourceOptions {
  const { url, database, dataSource } = options;
  if ([url, database, dataSource].filter((place) => place !== undefined).length > 1) {
    throw invalid('Activations can be kept in one place only.', 'Give one of url, database and dataSource.');
  }
  if (dataSource) return besides(dataSource);
  if (url === undefined) return sqlite(database ?? DEFAULT_DATABASE);
  // The address is not repeated: it may hold a password.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw invalid('url is not the address of a PostgreSQL database.', 'Write postgres://user:password@host:5432/name.');
  }
  return {
    ...OURS,
    entities: [...ENTITIES, PostgresSearchCachePartEntity],
    type: 'postgres',
    url,
    applicationName: 'tool-search',
    connectTimeoutMS: 5_000,
    // A query that is never answered must not hold its request for ever.
    extra: { query_timeout: 30_000 },
  };
}

function sqlite(database: string): DataSourceOptions {
  if (database.trim() === '') {
    throw invalid('database is empty.', `Give the path of a SQLite file, or leave it out for ${DEFAULT_DATABASE}.`);
  }
  return {
    ...OURS,
    entities: [...ENTITIES, SqliteSearchCachePartEntity],
    type: 'better-sqlite3',
    database,
    enableWAL: true,
    timeout: 5_000,
    // With WAL this loses nothing when the process dies; only a power cut can take the newest activations.
    prepareDatabase: (connection: { pragma(sql: string): unknown }) => void connection.pragma('synchronous = NORMAL'),
  };
}

/** Reads must see what was just written, so of a replicated DataSource only the master is used. */
function besides({ options }: DataSource): DataSourceOptions {
  if (options.type !== 'postgres') {
    throw invalid(
      `A DataSource of type ${options.type} cannot be shared: only PostgreSQL keeps the transactions of many requests apart.`,
      'Pass a PostgreSQL DataSource, or give database: a path, and a SQLite file is opened for activations alone.',
    );
  }
  return {
    ...options,
    ...options.replication?.master,
    replication: undefined,
    ...OURS,
    entities: [...ENTITIES, PostgresSearchCachePartEntity],
  };
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}
