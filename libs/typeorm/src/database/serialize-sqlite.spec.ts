import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { Database } from '../../test/database.js';
import { TYPEORM_VERSION } from '../../test/typeorm-version.js';
import { Sql } from './sql.js';
import { sqliteDriver } from './sqlite-driver.js';
import { durableTransaction, serializeSqlite } from './serialize-sqlite.js';

@Entity()
class Account {
  @PrimaryColumn('integer')
  id: number;

  @Column('integer')
  balance: number;
}

const account = (id: number, balance = 0) => ({ id, balance });

async function open(isSerialized = true, database = ':memory:'): Promise<DataSource> {
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    driver: sqliteDriver(),
    database,
    enableWAL: true,
    entities: [Account],
    synchronize: true,
  }).initialize();
  if (isSerialized) serializeSqlite(dataSource);
  return dataSource;
}

function signal() {
  let send = () => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  return { sent, send };
}

/**
 * Counts acknowledged inserts that were lost. Each insert overlaps a failing save of another caller, each time at a
 * later step.
 */
async function lostInserts(dataSource: DataSource): Promise<number> {
  const accounts = dataSource.getRepository(Account);
  await accounts.insert(account(0));
  const acknowledged: number[] = [];
  const insertAfter = async (id: number, microtasks: number) => {
    for (let i = 0; i < microtasks; i++) await Promise.resolve();
    await accounts.insert(account(id));
    acknowledged.push(id);
  };
  for (let id = 1; id <= 200; id++) {
    const failing = accounts.save([account(-id), { id: -1000 - id } as Account]);
    await Promise.allSettled([failing, insertAfter(id, id)]);
  }
  const kept = new Set((await accounts.find()).map(({ id }) => id));
  return acknowledged.filter((id) => !kept.has(id)).length;
}

describe('serializeSqlite', () => {
  let dataSource: DataSource;
  beforeEach(async () => {
    dataSource = await open();
  });
  afterEach(() => dataSource.destroy());

  const ids = async () => (await dataSource.getRepository(Account).find({ order: { id: 'ASC' } })).map(({ id }) => id);

  it('keeps what was acknowledged when the save of another request fails at the same time', async () => {
    expect(await lostInserts(dataSource)).toBe(0);
  });

  it('is still needed: without it such writes are lost', async () => {
    const stock = await open(false);
    expect(await lostInserts(stock)).toBeGreaterThan(0);
    await stock.destroy();
  });

  it('keeps exactly the fulfilled ones of 50 concurrent transactions', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        dataSource.transaction(async (manager) => {
          await manager.insert(Account, account(i * 2));
          if (i % 3 === 0) throw new Error('changed my mind');
          await manager.insert(Account, account(i * 2 + 1));
        }),
      ),
    );
    const fulfilled = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i * 2, i * 2 + 1] : []));
    expect(fulfilled).toHaveLength(66);
    expect(await ids()).toEqual(fulfilled);
  });

  it('keeps read and write of a transaction together', async () => {
    await dataSource.manager.insert(Account, account(1, 0));
    await Promise.all(
      Array.from({ length: 50 }, () =>
        dataSource.transaction(async (manager) => {
          const { balance } = await manager.findOneByOrFail(Account, { id: 1 });
          await manager.update(Account, { id: 1 }, { balance: balance + 1 });
        }),
      ),
    );
    expect(await dataSource.manager.findOneBy(Account, { id: 1 })).toEqual(account(1, 50));
  });

  it('refuses a BEGIN as a statement: the writes of others would become part of its transaction', async () => {
    await expect(dataSource.query('BEGIN')).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(dataSource.query('SAVEPOINT mine')).rejects.toMatchObject({ code: 'INTERNAL' });
    await dataSource.manager.insert(Account, account(1));
    await expect(dataSource.query('ROLLBACK')).rejects.toThrow(/no transaction/);
    expect(await ids()).toEqual([1]);
  });

  it('ends the wait for a transaction that does not end, and serves those who come after it', async () => {
    const busy = await open(false);
    serializeSqlite(busy, 20);
    const holder = busy.createQueryRunner();
    await holder.startTransaction();
    const insert = busy.manager.insert(Account, account(1));
    await expect(insert).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', hint: expect.stringContaining('open') });
    await holder.release();
    await busy.manager.insert(Account, account(2));
    expect(await busy.manager.find(Account)).toEqual([account(2)]);
    await busy.destroy();
  });

  it('does not show uncommitted rows to others', async () => {
    const written = signal();
    const readStarted = signal();
    const writing = dataSource.transaction(async (manager) => {
      await manager.insert(Account, account(1));
      written.send();
      await readStarted.sent;
      throw new Error('roll back');
    });
    await written.sent;
    const read = dataSource.manager.count(Account);
    readStarted.send();
    await expect(writing).rejects.toThrow('roll back');
    expect(await read).toBe(0);
  });

  it('runs transactions in the order in which they came', async () => {
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        dataSource.transaction(async (manager) => {
          await manager.insert(Account, account(20 - i));
          order.push(i);
        }),
      ),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('makes a nested transaction a savepoint', async () => {
    await dataSource.transaction(async (manager) => {
      await manager.insert(Account, account(1));
      await manager
        .transaction(async (inner) => {
          await inner.insert(Account, account(2));
          throw new Error('only the inner one');
        })
        .catch(() => undefined);
      await manager.transaction((inner) => inner.insert(Account, account(3)));
    });
    expect(await ids()).toEqual([1, 3]);
  });

  it('refuses a statement that would wait for the transaction it is called from', async () => {
    const outcome = dataSource.transaction(async (manager) => {
      await manager.insert(Account, account(1));
      await dataSource.manager.insert(Account, account(2));
    });
    await expect(outcome).rejects.toMatchObject({ name: 'ToolSearchError', code: 'INTERNAL' });
    await expect(
      dataSource.transaction(() => dataSource.transaction((manager) => manager.insert(Account, account(3)))),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await ids()).toEqual([]);
  });

  it('does not let a statement pass because another one of the same runner holds the mutex', async () => {
    const inside = signal();
    dataSource.subscribers.push({ beforeQuery: ({ query }) => (query.includes('(2, 0)') ? inside.sent : undefined) });
    const runner = dataSource.createQueryRunner();
    const first = runner.query('INSERT INTO account VALUES (1, 0)');
    const failing = dataSource.transaction(async () => {
      inside.send();
      await setImmediate();
      throw new Error('roll back');
    });
    const second = runner.query('INSERT INTO account VALUES (2, 0)');
    await Promise.allSettled([first, failing, second]);
    expect(await ids()).toEqual([1, 2]);
  });

  it('does not take up a statement of a store beside it, for which no runner is made', async () => {
    const sql = new Sql(dataSource.manager);
    const insert = (id: number, manager?: EntityManager) => sql.run('INSERT INTO account VALUES (?, 0)', [id], manager);
    const made = jest.spyOn(dataSource, 'createQueryRunner');
    await Promise.all([1, 2, 3].map((id) => insert(id)));
    expect(made).not.toHaveBeenCalled();
    const inside = signal();
    const failing = dataSource.transaction(async (manager) => {
      await insert(4, manager);
      inside.send();
      await setImmediate();
      throw new Error('roll back');
    });
    await inside.sent;
    await Promise.allSettled([failing, insert(5), insert(6)]);
    expect(made).toHaveBeenCalledTimes(1);
    expect(await ids()).toEqual([1, 2, 3, 5, 6]);
  });

  it('begins with the right to write, so that reading first never ends in a refused write', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    const database = join(directory, 'accounts.sqlite');
    const onFile = await open(true, database);
    const otherProcess = new Database(database, { timeout: 0 });
    await onFile.transaction(async (manager) => {
      await manager.count(Account);
      expect(() => otherProcess.exec('INSERT INTO account VALUES (2, 0)')).toThrow('locked');
      await manager.insert(Account, account(1));
    });
    otherProcess.close();
    await onFile.destroy();
    await rm(directory, { recursive: true });
  });

  it('opens again when SQLite itself has ended the transaction, and lets no statement of it follow', async () => {
    await dataSource.query(
      "CREATE TRIGGER strict BEFORE INSERT ON account WHEN NEW.balance < 0 BEGIN SELECT RAISE(ROLLBACK, 'no debts'); END",
    );
    const outcome = dataSource.transaction(async (manager) => {
      await manager.insert(Account, account(1));
      await manager.insert(Account, account(2, -1)).catch(() => undefined);
      await manager.insert(Account, account(3));
    });
    await expect(outcome).rejects.toThrow('is over');
    await dataSource.manager.insert(Account, account(4));
    expect(await ids()).toEqual([4]);
  });

  it('opens again when a runner is let go with its transaction open', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('INSERT INTO account VALUES (1, 0)');
    const waiting = dataSource.manager.insert(Account, account(2));
    await runner.release();
    await waiting;
    expect(await ids()).toEqual([2]);
  });

  it('opens again when a transaction cannot begin', async () => {
    const runner = dataSource.createQueryRunner();
    await expect(runner.startTransaction('REPEATABLE READ')).rejects.toThrow('isolation');
    await dataSource.transaction((manager) => manager.insert(Account, account(1)));
    expect(await ids()).toEqual([1]);
  });

  it('takes the isolation levels that SQLite knows', async () => {
    await dataSource.transaction('SERIALIZABLE', (manager) => manager.insert(Account, account(1)));
    expect(await ids()).toEqual([1]);
  });

  describe('a durable transaction', () => {
    beforeEach(() => dataSource.query('PRAGMA synchronous = NORMAL'));

    it('waits for the disk; other transactions do not', async () => {
      const within: boolean[] = [];
      await Promise.all(
        Array.from({ length: 10 }, (_, i) => {
          const work = async (manager: EntityManager) => {
            const [{ synchronous }] = await manager.query('PRAGMA synchronous');
            within[i] = synchronous === 2;
            await manager.insert(Account, account(i));
          };
          return i % 2 ? durableTransaction(dataSource, work) : dataSource.transaction(work);
        }),
      );
      expect(within).toEqual(Array.from({ length: 10 }, (_, i) => i % 2 === 1));
      expect(await dataSource.query('PRAGMA synchronous')).toEqual([{ synchronous: 1 }]);
      expect(await ids()).toHaveLength(10);
    });

    it('is rolled back when its work fails, and leaves the connection as it was', async () => {
      const outcome = durableTransaction(dataSource, async (manager) => {
        await manager.insert(Account, account(1));
        throw new Error('changed my mind');
      });
      await expect(outcome).rejects.toThrow('changed my mind');
      expect(await dataSource.query('PRAGMA synchronous')).toEqual([{ synchronous: 1 }]);
      expect(await ids()).toEqual([]);
    });

    it('rejects waiting queries when the DataSource is destroyed meanwhile', async () => {
      const closing = await open();
      const inside = signal();
      const destroyed = signal();
      const outcome = durableTransaction(closing, async (manager) => {
        await manager.insert(Account, account(1));
        inside.send();
        await destroyed.sent;
      });
      await inside.sent;
      const waiting = closing.manager.insert(Account, account(2));
      await closing.destroy();
      destroyed.send();
      const settled = await Promise.allSettled([outcome, waiting]);
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    });

    it('refuses a statement that would wait for it, and a DataSource that is not serialized', async () => {
      const outcome = durableTransaction(dataSource, () => dataSource.manager.insert(Account, account(1)));
      await expect(outcome).rejects.toMatchObject({ code: 'INTERNAL' });
      const nested = dataSource.transaction(() => durableTransaction(dataSource, async () => undefined));
      await expect(nested).rejects.toMatchObject({ code: 'INTERNAL' });
      const stock = await open(false);
      await expect(durableTransaction(stock, async () => undefined)).rejects.toThrow(TypeError);
      await stock.destroy();
    });
  });
});

// These are private to TypeORM: another version may rename them.
describe(`internals of TypeORM ${TYPEORM_VERSION} that the mutex uses (known: 0.3.23 to 1.1)`, () => {
  it('are transactionDepth of a query runner, databaseConnection of its driver, and BEGIN TRANSACTION', async () => {
    const dataSource = await open(false);
    const connection = Reflect.get(dataSource.driver, 'databaseConnection') as InstanceType<typeof Database>;
    const prepare = jest.spyOn(connection, 'prepare');
    serializeSqlite(dataSource);
    const [first, second] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    for (const runner of [first, second]) await runner.query('SELECT 1 AS one');
    expect(prepare.mock.calls).toEqual([['SELECT 1 AS one']]);
    expect(Reflect.get(first, 'transactionDepth')).toBe(0);
    await first.startTransaction();
    expect(Reflect.get(first, 'transactionDepth')).toBe(1);
    expect(connection.inTransaction).toBe(true);
    // The mutex rewrites the BEGIN statement of a runner.
    expect(prepare.mock.calls.flat()).toContain('BEGIN IMMEDIATE TRANSACTION');
    await first.rollbackTransaction();
    await dataSource.destroy();
  });

  it('prepares no statement for ever', async () => {
    const dataSource = await open(false);
    const connection = Reflect.get(dataSource.driver, 'databaseConnection') as InstanceType<typeof Database>;
    const prepare = jest.spyOn(connection, 'prepare');
    serializeSqlite(dataSource);
    for (let n = 0; n <= 200; n++) await dataSource.query(`SELECT ${n} AS n`);
    for (const n of [200, 0]) expect(await dataSource.query(`SELECT ${n} AS n`)).toEqual([{ n }]);
    expect(prepare).toHaveBeenCalledTimes(202);
    await dataSource.destroy();
  });
});
