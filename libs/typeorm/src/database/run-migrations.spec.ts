import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataSource, type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { TypeOrmActivationStore } from '../activation/typeorm-activation.store.js';
import { TypeOrmDefinitionStore } from '../definitions/typeorm-definition.store.js';
import { TypeOrmHeldResultStore } from '../held-results/typeorm-held-result.store.js';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';

type Migrations = NonNullable<ToolSearchTypeOrmOptions['migrations']>;

const SCOPE = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
const HOLDER = { tenantId: 't', userId: 'u', agent: '' } as const;
/** Tables whose rows others refer to, with the table of these others. */
const PARENTS = {
  tool_search_activation_scopes: 'tool_search_activations',
  tool_search_definition_sources: 'tool_search_definitions',
  tool_search_held_results: 'tool_search_held_result_parts',
};

async function fill(dataSource: DataSource): Promise<void> {
  const tool = { tool: 'a.b', reason: 'first_use', tokens: 1 } as const;
  await new TypeOrmActivationStore(dataSource).activate(SCOPE, [tool], { tools: 0, tokens: 0 }, 1, 0);
  const accepted = { tool: 'b', fingerprint: 'f'.repeat(64), volatile: [], listed: true, acceptedAt: 1 };
  await new TypeOrmDefinitionStore(dataSource).register({ owner: '', source: 'a' }, [{ ...accepted, origin: {} }]);
  const result = { tool: 'a.b', body: new Uint8Array([1, 2, 3]) };
  const limits = { forMs: 600_000, ofHolder: 1, bytesOfTenant: 10 };
  await new TypeOrmHeldResultStore(dataSource).hold('r', HOLDER, result, limits);
}

class AddRegions1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const region = new TableColumn({ name: 'app_region', type: 'text', isNullable: true });
    for (const table of Object.keys(PARENTS)) await runner.addColumn(table, region.clone());
  }

  async down(): Promise<void> {}
}

class RemoveScopes1764547200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM tool_search_activation_scopes');
  }

  async down(): Promise<void> {}
}

class Misspelled1764547200002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABL app_notes (id text)');
  }

  async down(): Promise<void> {}
}

class Twice1764547200003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const _ of [1, 2]) await runner.query('CREATE TABLE app_twice (id text)');
  }

  async down(): Promise<void> {}
}

class Mistaken1764547200004 implements MigrationInterface {
  async up(): Promise<void> {
    throw new Error(`${'there are\nno regions '.repeat(50)}`);
  }

  async down(): Promise<void> {}
}

class OwnTransaction1764547200005 extends AddRegions1764547200000 {
  readonly transaction = false;
}

class Unnumbered extends AddRegions1764547200000 {}

/** Migrations that fail, with what is said of each. */
const FAULTY: readonly [Migrations[number], RegExp][] = [
  [
    Misspelled1764547200002,
    /^A migration failed: Misspelled1764547200002: .*syntax error.*\((?:42601|SQLITE_ERROR)\)\.$/,
  ],
  [Twice1764547200003, /^A migration failed: Twice1764547200003: .*already exists.*\((?:42P07|SQLITE_ERROR)\)\.$/],
  [Mistaken1764547200004, /^A migration failed: Mistaken1764547200004: there are no regions there are .{150,180}\.$/],
  [OwnTransaction1764547200005, /^A migration failed: OwnTransaction1764547200005: it sets `transaction`.*\.$/],
  [Unnumbered, /^A migration failed: Unnumbered migration name is wrong.*\.$/],
];

function describeRuns(place: () => ToolSearchTypeOrmOptions): void {
  const open = (...migrations: Migrations) => createDataSource(dataSourceOptions({ ...place(), migrations }));
  const filled = async () => {
    const dataSource = await open();
    await fill(dataSource);
    await dataSource.destroy();
  };
  const children = async (dataSource: DataSource) => {
    const counted = Object.values(PARENTS).map(async (table) => {
      const rows = (await dataSource.query(`SELECT COUNT(*) AS count FROM ${table}`)) as { count: number | string }[];
      return Number(rows[0]?.count);
    });
    return Promise.all(counted);
  };

  it('keeps what refers to the rows of a table that gets a column', async () => {
    await filled();
    const after = await open(AddRegions1764547200000);
    expect(await children(after)).toEqual([1, 1, 1]);
    expect(await new TypeOrmActivationStore(after).list(SCOPE, 0)).toHaveLength(1);
    // Foreign keys are on again.
    await after.query('DELETE FROM tool_search_activation_scopes');
    expect(await children(after)).toEqual([0, 1, 1]);
    await after.destroy();
  });

  it.each(FAULTY)('refuses %p at once, and names it', async (migration, message) => {
    await filled();
    await expect(open(AddRegions1764547200000, migration)).rejects.toMatchObject({
      // INVALID_CONFIGURATION is not retried.
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('Correct the migration'),
    });
    const after = await open();
    expect(await children(after)).toEqual([1, 1, 1]);
    const runner = after.createQueryRunner();
    expect(await runner.hasColumn('tool_search_held_results', 'app_region')).toBe(false);
    await runner.release();
    await after.destroy();
  });
}

describe('runMigrations on SQLite', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
  const database = () => join(directory, 'a.sqlite');
  const open = (...migrations: Migrations) => createDataSource(dataSourceOptions({ database: database(), migrations }));

  describeRuns(() => ({ database: database() }));

  it('refuses a migration that leaves rows that refer to missing ones, and nothing is lost', async () => {
    const before = await open();
    await fill(before);
    await before.destroy();
    await expect(open(RemoveScopes1764547200001)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message:
        'A migration failed: RemoveScopes1764547200001: rows of tool_search_activations refer to rows of ' +
        'tool_search_activation_scopes that do not exist.',
    });
    const after = await open();
    expect(await new TypeOrmActivationStore(after).list(SCOPE, 0)).toHaveLength(1);
    await after.destroy();
  });

  it('does not blame a migration for what was missing before it', async () => {
    const before = await open();
    await fill(before);
    await before.query('PRAGMA foreign_keys = OFF');
    await before.query('DELETE FROM tool_search_activation_scopes');
    await before.destroy();
    const after = await open(AddRegions1764547200000);
    expect(await after.query('SELECT tool FROM tool_search_activations')).toEqual([{ tool: 'a.b' }]);
    await after.destroy();
  });
});

describeOnPostgres('runMigrations', (url) => {
  beforeEach(async () => {
    const dataSource = await createDataSource(dataSourceOptions({ url: url() }));
    await dataSource.query('DROP SCHEMA public CASCADE');
    await dataSource.query('CREATE SCHEMA public');
    await dataSource.destroy();
  });

  describeRuns(() => ({ url: url() }));

  it('does not take a connection that is lost meanwhile for a fault of the migration', async () => {
    class Cut1764547200006 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('SELECT pg_terminate_backend(pg_backend_pid())');
      }

      async down(): Promise<void> {}
    }
    const options = dataSourceOptions({ url: url(), migrations: [Cut1764547200006] });
    await expect(createDataSource(options)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
