import { describeLimitStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmLimitStore } from './typeorm-limit.store.js';

const inMemory = emptySqlite();

describeLimitStore('TypeOrmLimitStore on SQLite', async () => ({
  store: new TypeOrmLimitStore(await inMemory()),
  close: async () => {},
}));

it('fails at once inside a SQLite transaction, which it would wait for, and not for other callers', async () => {
  const sqlite = await inMemory();
  const store = new TypeOrmLimitStore(sqlite);
  const count = () => store.update(['a'], () => ({ answer: 'counted' }));
  await sqlite.transaction(async () => {
    await expect(count()).rejects.toMatchObject({
      code: 'INTERNAL',
      hint: 'Call tools that have limits before or after the transaction.',
    });
  });
  let open: (() => void) | undefined;
  const transaction = sqlite.transaction(() => new Promise<void>((resolve) => (open = resolve)));
  while (!open) await new Promise(setImmediate);
  const other = count();
  open();
  await transaction;
  expect(await other).toBe('counted');
});

describeOnPostgres('TypeOrmLimitStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeLimitStore('TypeOrmLimitStore', async () => {
    await dataSource.query('TRUNCATE tool_search_limit_counters');
    return { store: new TypeOrmLimitStore(dataSource), close: async () => {} };
  });

  it('reads the clock after the lock, so that time never goes backwards', async () => {
    const store = new TypeOrmLimitStore(dataSource);
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, () =>
        store.update(['clock'], (_, now) => {
          times.push(now);
          return { answer: 0, writes: [{ state: [now], expiresAt: now + 60_000 }] };
        }),
      ),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('counts exactly for two instances whose clocks differ, in any order of keys', async () => {
    const other = await openPatiently(url());
    const stores = [new TypeOrmLimitStore(dataSource), new TypeOrmLimitStore(other)];
    const take = async (index: number) => {
      const keys = index % 3 === 0 ? ['x', 'y'] : ['y', 'x'];
      return stores[index % 2]!.update(keys, (states, now) => {
        const amounts = states.map((state) => Number(state?.[0] ?? 0));
        if (amounts.some((amount) => amount >= 40)) return { answer: false };
        return { answer: true, writes: amounts.map((n) => ({ state: [n + 1], expiresAt: now + 60_000 })) };
      });
    };
    const real = Date.now;
    Date.now = () => real() + 3_600_000;
    try {
      const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => take(index)));
      expect(answers.filter(Boolean)).toHaveLength(40);
      expect((await stores[1]!.peek(['x', 'y'])).states).toEqual([[40], [40]]);
    } finally {
      Date.now = real;
      await other.destroy();
    }
  });
});
