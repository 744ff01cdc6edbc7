import { describeSearchGapStore, describeTokenLedgerStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmSearchGapStore } from './typeorm-search-gap.store.js';
import { TypeOrmTokenLedgerStore } from './typeorm-token-ledger.store.js';

const inMemory = emptySqlite();

describeTokenLedgerStore('TypeOrmTokenLedgerStore on SQLite', async () => ({
  store: new TypeOrmTokenLedgerStore(await inMemory()),
  close: async () => {},
}));

describeSearchGapStore('TypeOrmSearchGapStore on SQLite', async () => ({
  store: new TypeOrmSearchGapStore(await inMemory()),
  close: async () => {},
}));

describeOnPostgres('The stores of usage', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeTokenLedgerStore('TypeOrmTokenLedgerStore', async () => {
    await dataSource.query('TRUNCATE tool_search_token_ledger');
    return { store: new TypeOrmTokenLedgerStore(dataSource), close: async () => {} };
  });

  describeSearchGapStore('TypeOrmSearchGapStore', async () => {
    await dataSource.query('TRUNCATE tool_search_search_gaps, tool_search_search_gap_queries');
    return { store: new TypeOrmSearchGapStore(dataSource), close: async () => {} };
  });

  it('several instances add up', async () => {
    await dataSource.query('TRUNCATE tool_search_token_ledger');
    const other = await openPatiently(url());
    const stores = [new TypeOrmTokenLedgerStore(dataSource), new TypeOrmTokenLedgerStore(other)];
    const entry = { tenantId: 'acme', userId: '', sessionId: '', tokenizer: 'custom', hour: 0, steps: 1 } as const;
    const zero = { fullTokens: 0, shownTokens: 0, metaCalls: 0, searchTokens: 0, cacheKept: 0, cacheBroken: 0 };
    const rounds = Array.from({ length: 15 }, () => stores.map((store) => store.add([{ ...zero, ...entry }])));
    await Promise.all(rounds.flat());
    expect((await stores[0]?.sums({}))?.[0]?.steps).toBe(30);
    await other.destroy();
  });
});
