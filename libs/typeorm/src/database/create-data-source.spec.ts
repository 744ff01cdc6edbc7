import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
import { TypeOrmActivationStore } from '../activation/typeorm-activation.store.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
const tool = { tool: 'a.b', reason: 'first_use', tokens: 1 } as const;
const activate = (store: TypeOrmActivationStore) => store.activate(scope, [tool], { tools: 0, tokens: 0 }, 1, 0);

const TABLES = [
  'activation_scopes',
  'activations',
  'audit',
  'cache_entries',
  'cache_parts',
  'calls',
  'connect_attempts',
  'control_head',
  'control_records',
  'definition_sources',
  'definitions',
  'example_queries',
  'example_query_costs',
  'held_result_parts',
  'held_results',
  'instances',
  'learned_queries',
  'limit_counters',
  'paused_runs',
  'search_gap_queries',
  'search_gaps',
  'token_ledger',
  'user_credentials',
];

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

function describeMigrations(of: () => ToolSearchTypeOrmOptions): void {
  let dataSource: DataSource;
  beforeEach(async () => {
    dataSource = await open(of());
  });
  afterEach(() => dataSource.destroy());

  const tables = async () => {
    const runner = dataSource.createQueryRunner();
    const found: string[] = [];
    try {
      for (const name of TABLES) {
        if (await runner.hasTable(`tool_search_${name}`)) found.push(name);
      }
      return found;
    } finally {
      await runner.release();
    }
  };

  it('creates a schema without a difference to the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('reverts all migrations and runs them again', async () => {
    const all = await tables();
    expect(all).toEqual(TABLES);
    for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
    expect(await tables()).toEqual([]);
    await dataSource.runMigrations();
    expect(await tables()).toEqual(all);
    await activate(new TypeOrmActivationStore(dataSource));
  });
}

describe('createDataSource on SQLite', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  describeMigrations(() => ({ database: join(directory, 'activations.sqlite') }));

  it('makes the directory, and sets the connection to survive the death of the process', async () => {
    const dataSource = await open({ database: join(directory, 'a', 'b', 'activations.sqlite') });
    const pragma = async (name: string) => Object.values((await dataSource.query(`PRAGMA ${name}`))[0])[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(0);
    expect(await pragma('foreign_keys')).toBe(1);
    await dataSource.destroy();
  });

  it('makes folders and files for the user of this process alone, and warns of an existing file that others may read', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const database = join(directory, 'a', 'activations.sqlite');
    const modes = async () =>
      Promise.all(
        ['..', '', '-wal', '-shm'].map(async (end) => modeOf(end === '..' ? join(directory, 'a') : database + end)),
      );
    const first = await open({ database });
    expect([await modes(), warned.mock.calls]).toEqual([['700', '600', '600', '600'], []]);
    await first.destroy();
    await chmod(database, 0o644);
    const second = await open({ database });
    await second.destroy();
    expect(warned.mock.calls.map(([text]) => String(text)).join()).toContain(
      `${database} (0644): chmod 600 ${database}`,
    );
    warned.mockRestore();
  });

  it('finds what an earlier start has written', async () => {
    const database = join(directory, 'activations.sqlite');
    const before = await open({ database });
    await activate(new TypeOrmActivationStore(before));
    await before.destroy();
    const after = await open({ database });
    expect(await new TypeOrmActivationStore(after).list(scope, 0)).toHaveLength(1);
    await after.destroy();
  });

  it.each([
    ['lies below a file', () => join(directory, 'file', 'activations.sqlite')],
    ['lies in a directory that cannot be made', () => '/proc/tool-search/activations.sqlite'],
    ['is a directory', () => join(directory, 'directory')],
    ['is some other file', () => join(directory, 'file')],
  ])('refuses to boot with the path when it %s', async (_, path) => {
    await writeFile(
      join(directory, 'file'),
      'not a database, but long enough to be taken for the header of one'.repeat(20),
    );
    await mkdir(join(directory, 'directory'));
    await expect(open({ database: path() })).rejects.toMatchObject({
      name: 'ToolSearchError',
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(path()),
    });
  });
});

@Entity()
class Invoice {
  @PrimaryColumn('text')
  id: string;

  @Column('integer')
  cents: number;
}

describeOnPostgres('createDataSource', (url) => {
  const reset = async () => {
    const admin = await new DataSource({ type: 'postgres', url: url() }).initialize();
    await admin.query('DROP SCHEMA public CASCADE');
    await admin.query('CREATE SCHEMA public');
    await admin.destroy();
  };
  beforeEach(reset);

  describeMigrations(() => ({ url: url() }));

  it('succeeds for all that start at once on an empty database', async () => {
    for (let round = 0; round < 5; round++) {
      await reset();
      const started = await Promise.all([1, 2, 3].map(() => open({ url: url() })));
      await Promise.all(started.map((dataSource) => activate(new TypeOrmActivationStore(dataSource))));
      await Promise.all(started.map((dataSource) => dataSource.destroy()));
    }
  });

  it.each<[string, string, Partial<URL>]>([
    ['the database does not exist', '3D000', { pathname: '/no_such_database' }],
    ['the user may not log in', '28000', { username: 'nobody_of_this_name' }],
    ['its host name is unknown', 'ENOTFOUND', { hostname: 'no-such-host.invalid' }],
  ])('refuses at once and says what to do where %s', async (what, code, part) => {
    const wrong = Object.assign(new URL(url()), { password: 'hunter2', ...part }).href;
    const error: unknown = await open({ url: wrong }).catch((reason: unknown) => reason);
    // INVALID_CONFIGURATION is not retried.
    expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION', hint: expect.any(String) });
    expect(String(error)).toContain(`${what} (${code})`);
    expect(String(error)).not.toContain('hunter2');
  });

  it('says that the server cannot be used, and not how it was addressed', async () => {
    const closed = Object.assign(new URL(url()), { port: '1', username: 'app', password: 'hunter2' }).href;
    const error: unknown = await open({ url: closed }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ToolSearchError', code: 'STORE_UNAVAILABLE' });
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('hunter2');
  });

  it('keeps its tables in the schema of an existing DataSource, and leaves everything else of it alone', async () => {
    const application = new DataSource({
      type: 'postgres',
      url: url(),
      schema: 'Odd schema',
      poolSize: 1,
      entityPrefix: 'app_',
      entities: [Invoice],
      isolationLevel: 'SERIALIZABLE',
    });
    await application.initialize();
    await application.query('CREATE SCHEMA "Odd schema"');
    await application.synchronize();
    await application.getRepository(Invoice).insert({ id: 'i1', cents: 100 });
    // from now on an initialization with these options drops and rebuilds
    application.setOptions({ dropSchema: true, synchronize: true });

    const dataSource = await open({ dataSource: application });
    const store = new TypeOrmActivationStore(dataSource);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => activate(store)));
    expect(outcomes.flatMap(({ activated }) => activated)).toEqual(['a.b']);
    const placed = await dataSource.query(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'Odd schema' ORDER BY table_name`,
    );
    expect(placed.map(({ table_name }: { table_name: string }) => table_name)).toEqual([
      'app_invoice',
      ...[...TABLES, 'migrations'].map((name) => `tool_search_${name}`).toSorted(),
    ]);
    expect(await application.getRepository(Invoice).count()).toBe(1);

    await dataSource.destroy();
    expect(application.isInitialized).toBe(true);
    await application.destroy();
  });
});
