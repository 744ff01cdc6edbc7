import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import {
  Column,
  type DataSource,
  Entity,
  ForeignKey,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  Table,
  TableColumn,
} from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { createDataSource } from '../database/create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { columns, keys } from '../migrations/table-migration.js';
import { ActivationEntity } from './activation.entity.js';
import { ActivationRepository } from './activation.repository.js';
import { TypeOrmActivationStore } from './typeorm-activation.store.js';

const ACTIVATIONS = 'tool_search_activations';
const KEY = ['tenantId', 'userId', 'scope', 'scopeId', 'tool'] as const;
const KEY_COLUMNS = ['tenant_id', 'user_id', 'scope', 'scope_id', 'tool'];

/** A class with a column more, on the table of the library. */
@Entity(ACTIVATIONS)
class PricedActivation extends ActivationEntity {
  @Column('integer', { name: 'app_cents', nullable: true }) readonly cents: number | null;
}

/** A table of the application, whose rows are removed with their activations. */
@Entity('app_notes')
@ForeignKey(() => ActivationEntity, [...KEY], [...KEY], { onDelete: 'CASCADE' })
class NoteEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  @PrimaryColumn('text', { name: 'user_id' }) readonly userId: string;
  @PrimaryColumn('text') readonly scope: 'run' | 'session';
  @PrimaryColumn('text', { name: 'scope_id' }) readonly scopeId: string;
  @PrimaryColumn('text') readonly tool: string;
  @Column('text') readonly note: string;
}

class AddCents1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(ACTIVATIONS, new TableColumn({ name: 'app_cents', type: 'integer', isNullable: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(ACTIVATIONS, 'app_cents');
  }
}

class CreateNotes1764547200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'app_notes',
        columns: [...keys(...KEY_COLUMNS), ...columns('text', 'note')],
        foreignKeys: [
          {
            columnNames: KEY_COLUMNS,
            referencedTableName: ACTIVATIONS,
            referencedColumnNames: KEY_COLUMNS,
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('app_notes');
  }
}

const OWN: ToolSearchTypeOrmOptions = {
  entities: [PricedActivation, NoteEntity],
  migrations: [CreateNotes1764547200001, AddCents1764547200000],
};
const SCOPE = { tenantId: 't', userId: 'ada', scope: 'session', scopeId: 's' } as const;

function describeRepository(place: () => ToolSearchTypeOrmOptions): void {
  let dataSource: DataSource;
  let store: TypeOrmActivationStore;
  beforeAll(async () => {
    dataSource = await createDataSource(dataSourceOptions({ ...place(), ...OWN }));
    store = new TypeOrmActivationStore(dataSource);
  });
  afterAll(() => dataSource.destroy());
  beforeEach(async () => {
    await store.revokeAll({});
    const tools = ['a.b', 'a.c'].map((tool) => ({ tool, reason: 'load' as const, tokens: 7 }));
    await store.activate(SCOPE, tools, { tools: 0, tokens: 0 }, 5, 0);
  });
  const repository = () => new ActivationRepository(ActivationEntity, dataSource.manager);

  it('has the methods of TypeORM beside the statements of the store', async () => {
    expect(await repository().countBy({ tenantId: 't' })).toBe(2);
    expect(await repository().listActive(SCOPE, 0)).toEqual(await store.list(SCOPE, 0));
    expect(await repository().listActive(SCOPE, 6)).toEqual([]);
    expect(await repository().listHeld(SCOPE)).toHaveLength(2);
    const [page] = await repository().listAfter(['', '', '', '', ''], 1);
    expect(page).toMatchObject({ record: { ...SCOPE, tool: 'a.b', tokens: 7 }, scopeUsedAt: 5 });
  });

  it('keeps its statements when it is extended, and in a transaction', async () => {
    const extended = repository().extend({
      async names(): Promise<string[]> {
        return (await this.listActive(SCOPE, 0)).map(({ tool }) => tool);
      },
    });
    expect(await extended.names()).toEqual(['a.b', 'a.c']);
    const change = dataSource.transaction(async (manager) => {
      const inside = manager.withRepository(extended);
      expect(await inside.removeEach([{ ...SCOPE, tool: 'a.b' }])).toBe(1);
      expect(await inside.names()).toEqual(['a.c']);
      throw new Error('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
    expect(await extended.names()).toEqual(['a.b', 'a.c']);
  });

  it('never reads in the transaction of another request', async () => {
    const deleted = new EventEmitter();
    const failing = dataSource.transaction(async (manager) => {
      await manager.withRepository(repository()).removeEach([{ ...SCOPE, tool: 'a.b' }]);
      deleted.emit('done');
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      throw new Error('rolled back');
    });
    await once(deleted, 'done');
    const listed = repository().listActive(SCOPE, 0);
    await expect(failing).rejects.toThrow('rolled back');
    expect(await listed).toHaveLength(2);
  });

  it('has the columns of an entity of the application on its table', async () => {
    const priced = new ActivationRepository(PricedActivation, dataSource.manager);
    expect(await priced.findOneBy({ tool: 'a.b' })).toMatchObject({ tool: 'a.b', activatedAt: 5, cents: null });
    await priced.update({ ...SCOPE, tool: 'a.b' }, { cents: 3 });
    await store.activate(SCOPE, [{ tool: 'a.b', reason: 'load', tokens: 7 }], { tools: 0, tokens: 0 }, 90_000, 0);
    expect(await priced.findBy({ cents: 3 })).toMatchObject([{ tool: 'a.b', lastUsedAt: 90_000 }]);
    expect(await priced.listActive(SCOPE, 0)).toEqual(await store.list(SCOPE, 0));
    expect(await priced.sum('tokens', { tenantId: 't' })).toBe(14);
  });

  it('is the target of a table of the application', async () => {
    const notes = dataSource.getRepository(NoteEntity);
    await notes.insert({ ...SCOPE, tool: 'a.b', note: 'for the audit' });
    await store.revoke(SCOPE, 'a.c');
    expect(await notes.count()).toBe(1);
    await store.revoke(SCOPE, 'a.b');
    expect(await notes.count()).toBe(0);
  });
}

describe('ActivationRepository on SQLite', () => {
  describeRepository(() => ({ database: ':memory:' }));
});

describeOnPostgres('ActivationRepository', (url) => describeRepository(() => ({ url: url() })));
