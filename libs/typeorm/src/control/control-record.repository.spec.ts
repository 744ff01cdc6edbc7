import type { ControlRecord } from '@tool-search/core/stores';
import { emptySqlite } from '../../test/empty-database.js';
import { AddControlAsker } from '../migrations/add-control-asker.js';
import { ControlRecordEntity } from './control-record.entity.js';
import { type Asker, ControlRecordRepository } from './control-record.repository.js';
import { TypeOrmControlStore } from './typeorm-control.store.js';

const ASKER: Asker = { kind: 'confirmation', tenantId: 'acme', askedBy: 'ann' };
const FOREVER = 9_999_999_999_999;
const asked = (key: string, userId: string | undefined, tenantId = 'acme'): Omit<ControlRecord, 'revision'> => ({
  kind: 'confirmation',
  key,
  tenantId,
  value: userId === undefined ? {} : { userId },
  expiresAt: FOREVER,
});
const LIMITS = { perTenant: 10, perUser: 10 };

describe('undecided records', () => {
  const empty = emptySqlite();

  it('are counted by tenant and user, in their index alone', async () => {
    const dataSource = await empty();
    const store = new TypeOrmControlStore(dataSource);
    const records = new ControlRecordRepository(ControlRecordEntity, dataSource.manager);
    const wishes = [asked('a', 'ann'), asked('b', 'ann'), asked('c', 'bob'), asked('d', undefined)];
    for (const wish of [...wishes, asked('e', 'ann', 'globex')]) await store.ask(wish, 1, LIMITS);
    expect(await records.countOpen(ASKER)).toEqual({ open: 4, own: 2 });
    expect(await records.countOpen({ ...ASKER, tenantId: 'initech' })).toEqual({ open: 0, own: 0 });
    const [sql, parameters] = records.openCounts(ASKER).getQueryAndParameters();
    const plan = await dataSource.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
    expect(plan.map(({ detail }) => detail).join()).toContain('COVERING INDEX ix_tool_search_control_records_open');
  });

  it('that an earlier version wrote are counted by user too', async () => {
    const dataSource = await empty();
    const store = new TypeOrmControlStore(dataSource);
    const records = new ControlRecordRepository(ControlRecordEntity, dataSource.manager);
    const runner = dataSource.createQueryRunner();
    const migration = new AddControlAsker();
    await migration.down(runner);
    await runner.query(
      `INSERT INTO tool_search_control_records VALUES ('confirmation', 'a', 'acme', '{"userId":"ann"}', ${FOREVER}, 0), ` +
        `('confirmation', 'b', 'acme', '{}', ${FOREVER}, 0)`,
    );
    await migration.up(runner);
    await runner.release();
    expect(await records.countOpen(ASKER)).toEqual({ open: 2, own: 1 });
    expect(await store.find('confirmation', 'a')).toEqual({ ...asked('a', 'ann'), revision: 0 });
  });
});
