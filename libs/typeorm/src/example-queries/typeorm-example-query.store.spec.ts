import { describeExampleQueryStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmExampleQueryStore } from './typeorm-example-query.store.js';

const inMemory = emptySqlite();

describeExampleQueryStore('TypeOrmExampleQueryStore on SQLite', async () => ({
  store: new TypeOrmExampleQueryStore(await inMemory()),
  close: async () => {},
}));

describeOnPostgres('TypeOrmExampleQueryStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeExampleQueryStore('TypeOrmExampleQueryStore', async () => {
    await dataSource.query('TRUNCATE tool_search_example_queries, tool_search_example_query_costs');
    return { store: new TypeOrmExampleQueryStore(dataSource), close: async () => {} };
  });

  it('keeps a budget that two instances use up together', async () => {
    await dataSource.query('TRUNCATE tool_search_example_queries, tool_search_example_query_costs');
    const other = await openPatiently(url());
    const each = { inputTokens: 8, outputTokens: 2, micros: 0 };
    const claims = Array.from({ length: 40 }, (_, index) =>
      new TypeOrmExampleQueryStore(index % 2 === 0 ? dataSource : other).claim({
        claimant: `c${index}`,
        subjects: [{ hash: `h${index}`, owner: '', tool: 't' }],
        now: 1,
        leaseMs: 1000,
        each,
        limits: { tokens: 105 },
        maxFailures: 3,
      }),
    );
    const outcomes = await Promise.all(claims);
    expect(outcomes.flatMap(({ claimed }) => claimed)).toHaveLength(10);
    expect(outcomes.filter(({ isSpent }) => isSpent)).toHaveLength(30);
    await other.destroy();
  });
});
