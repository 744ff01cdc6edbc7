import { z } from 'zod';
import { ToolSearchError } from '@tool-search/core';
import {
  isObject,
  list,
  neverUndefined,
  object,
  type OptionsOf,
  parseOptions,
  text,
  value,
} from '@tool-search/core/internal';
import type { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';
import { ActivationScopeEntity } from '../activation/activation-scope.entity.js';
import { ActivationEntity } from '../activation/activation.entity.js';
import { CallEntity } from '../calls/call.entity.js';
import { AuditEntryEntity } from '../control/audit-entry.entity.js';
import { ControlHeadEntity } from '../control/control-head.entity.js';
import { ControlInstanceEntity } from '../control/control-instance.entity.js';
import { ControlRecordEntity } from '../control/control-record.entity.js';
import { DefinitionSourceEntity } from '../definitions/definition-source.entity.js';
import { DefinitionEntity } from '../definitions/definition.entity.js';
import { ExampleQueryCostsEntity } from '../example-queries/example-query-costs.entity.js';
import { ExampleQueryEntity } from '../example-queries/example-query.entity.js';
import { LearnedQueryEntity } from '../learned-queries/learned-query.entity.js';
import { AddActivationLastUse } from '../migrations/add-activation-last-use.js';
import { AddCallTokens } from '../migrations/add-call-tokens.js';
import { AddControlAsker } from '../migrations/add-control-asker.js';
import { CreateActivations } from '../migrations/create-activations.js';
import { CreateCalls } from '../migrations/create-calls.js';
import { CreateControl } from '../migrations/create-control.js';
import { CreateDefinitions } from '../migrations/create-definitions.js';
import { CreateExampleQueries } from '../migrations/create-example-queries.js';
import { CreateHeldResults } from '../migrations/create-held-results.js';
import { HeldResultEntity } from '../held-results/held-result.entity.js';
import { PostgresHeldResultPartEntity, SqliteHeldResultPartEntity } from '../held-results/held-result-part.entity.js';
import { CreateLearnedQueries } from '../migrations/create-learned-queries.js';
import { CreatePausedRuns } from '../migrations/create-paused-runs.js';
import { CreateSearchCache } from '../migrations/create-search-cache.js';
import { CreateUsage } from '../migrations/create-usage.js';
import { ConnectAttemptEntity } from '../user-credentials/connect-attempt.entity.js';
import { UserCredentialEntity } from '../user-credentials/user-credential.entity.js';
import { CreateUserCredentials } from '../migrations/create-user-credentials.js';
import { RemoveCanaries } from '../migrations/remove-canaries.js';
import { LimitCounterEntity } from '../limits/limit-counter.entity.js';
import { CreateLimitCounters } from '../migrations/create-limit-counters.js';
import { PausedRunEntity } from '../paused-runs/paused-run.entity.js';
import { SearchGapEntity } from '../usage/search-gap.entity.js';
import { SearchGapQueryEntity } from '../usage/search-gap-query.entity.js';
import { TokenLedgerEntity } from '../usage/token-ledger.entity.js';
import { SearchCacheEntryEntity } from '../search-cache/search-cache-entry.entity.js';
import { sqliteDriver } from './sqlite-driver.js';
import {
  PostgresSearchCachePartEntity,
  SqliteSearchCachePartEntity,
} from '../search-cache/search-cache-part.entity.js';

export const typeOrmOptions = object({
  /** A PostgreSQL address, `postgres://user:password@host:5432/database`. */
  url: neverUndefined(text()).optional(),
  /** Path of a SQLite file, created with its directory, or `:memory:`. One process only. */
  database: neverUndefined(z.string()).optional(),
  /**
   * A PostgreSQL DataSource of the application. Only its address, schema and pool size are used: the library opens a
   * second DataSource with its own tables. It need not be initialized.
   */
  dataSource: neverUndefined(
    value<DataSource>((given) => isObject(given) && isObject(given['options']), 'a DataSource'),
  ).optional(),
  /**
   * Entities of the application in this database: tables of its own, or classes that extend an entity of the library
   * with columns of its own. None by default.
   */
  entities: list(value<new () => object>(isClass, 'a class')).optional(),
  /** Migrations that create what `entities` need. They run at boot, together with those of the library. None by default. */
  migrations: list(value<new () => MigrationInterface>(isClass, 'a class')).optional(),
});

/**
 * Location of all durable data (at most one of `url`, `database` and `dataSource`), and what the application adds to it.
 *
 * @default `.tool-search/tool-search.sqlite`
 */
export interface ToolSearchTypeOrmOptions extends OptionsOf<typeof typeOrmOptions> {}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A connection with no answer for this long is dropped. Well under the 30 s for which an instance may decide without
 * refreshing from the control store, so that waiting connections do not use up that time.
 */
const QUERY_TIMEOUT_MS = 10_000;

const DEFAULT_DATABASE = '.tool-search/tool-search.sqlite';

const MIGRATIONS = [
  CreateActivations,
  CreateSearchCache,
  CreateLearnedQueries,
  CreateControl,
  CreatePausedRuns,
  CreateDefinitions,
  AddActivationLastUse,
  CreateUsage,
  CreateExampleQueries,
  AddControlAsker,
  CreateHeldResults,
  CreateLimitCounters,
  CreateCalls,
  CreateUserCredentials,
  AddCallTokens,
  RemoveCanaries,
];

/** Fixed options, independent of the application's: our tables are never synchronized, dropped, renamed or cached. */
const OURS = {
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
  // Not logged in full: a statement may contain part of an index.
  logging: false,
  maxQueryExecutionTime: undefined,
} satisfies Partial<DataSourceOptions>;

/**
 * The entities with a repository in Nest, which an application can inject if the package exports the entity. Parts of the
 * search cache and of held results differ between databases.
 */
export const ENTITIES = [
  CallEntity,
  TokenLedgerEntity,
  SearchGapEntity,
  SearchGapQueryEntity,
  ActivationScopeEntity,
  ActivationEntity,
  ExampleQueryEntity,
  ExampleQueryCostsEntity,
  LearnedQueryEntity,
  LimitCounterEntity,
  PausedRunEntity,
  HeldResultEntity,
  SearchCacheEntryEntity,
  ControlRecordEntity,
  ControlHeadEntity,
  AuditEntryEntity,
  ControlInstanceEntity,
  DefinitionSourceEntity,
  DefinitionEntity,
  UserCredentialEntity,
  ConnectAttemptEntity,
];

/** Entities of one database alone: the databases have no common type for bytes. */
const POSTGRES = [PostgresSearchCachePartEntity, PostgresHeldResultPartEntity];
const SQLITE = [SqliteSearchCachePartEntity, SqliteHeldResultPartEntity];

/**
 * Builds the options of the library's own DataSource, with its entities and migrations. Opens no connection.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown option, for more than one location, or for an unusable
 *   one
 */
export function dataSourceOptions(options: ToolSearchTypeOrmOptions = {}): DataSourceOptions {
  const { url, database, dataSource, ...added } = parseOptions(
    typeOrmOptions,
    options,
    'ToolSearchTypeOrmModule.forRoot()',
  );
  if ([url, database, dataSource].filter((place) => place !== undefined).length > 1) {
    throw invalid('There can be one database only.', 'Give one of url, database and dataSource.');
  }
  if (dataSource) return { ...besides(dataSource), ...schemaOf(POSTGRES, added) };
  if (url === undefined) return { ...sqlite(database ?? DEFAULT_DATABASE), ...schemaOf(SQLITE, added) };
  // The error omits the address, because it may contain a password.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw invalid('url is not the address of a PostgreSQL database.', 'Write postgres://user:password@host:5432/name.');
  }
  return {
    ...OURS,
    ...schemaOf(POSTGRES, added),
    type: 'postgres',
    url,
    applicationName: 'tool-search',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { query_timeout: QUERY_TIMEOUT_MS },
  };
}

function schemaOf(
  ofDatabase: readonly (new () => object)[],
  { entities = [], migrations = [] }: Pick<ToolSearchTypeOrmOptions, 'entities' | 'migrations'>,
) {
  return { entities: [...ENTITIES, ...ofDatabase, ...entities], migrations: [...MIGRATIONS, ...migrations] };
}

function sqlite(database: string): DataSourceOptions {
  if (database.trim() === '') {
    throw invalid('database is empty.', `Give the path of a SQLite file, or leave it out for ${DEFAULT_DATABASE}.`);
  }
  return {
    ...OURS,
    type: 'better-sqlite3',
    driver: sqliteDriver(),
    database,
    enableWAL: true,
    // Only until the connection is open: `serializeSqlite` waits for locks of others by itself.
    timeout: 5_000,
    // With WAL, NORMAL loses nothing when the process dies; only a power failure can lose the newest activations.
    // Operators' decisions are written with `durableTransaction`, which survives a power failure.
    prepareDatabase: (connection: { pragma(sql: string): unknown }) => void connection.pragma('synchronous = NORMAL'),
  };
}

/** Reads must see the latest writes, so only the master of a replicated DataSource is used. */
function besides({ options }: DataSource): DataSourceOptions {
  if (options.type !== 'postgres') {
    throw invalid(
      `A DataSource of type ${options.type} cannot be shared: only PostgreSQL keeps the transactions of many requests apart.`,
      'Pass a PostgreSQL DataSource, or give database: a path, and a SQLite file is opened beside it.',
    );
  }
  return {
    ...options,
    ...options.replication?.master,
    replication: undefined,
    connectTimeoutMS: options.connectTimeoutMS ?? CONNECT_TIMEOUT_MS,
    extra: { query_timeout: QUERY_TIMEOUT_MS, ...options.extra },
    ...OURS,
  };
}

function isClass(given: unknown): boolean {
  return typeof given === 'function';
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}
