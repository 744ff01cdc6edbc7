import { Database } from '../../test/database.js';
import { FIELDS, SCHEMA, TERM_COLUMNS } from '../file/search-schema.js';
import { ToolTable } from './tool-table.js';

const UNUSED_SINCE = 1_000;

/** A table with rows last used at these times, which reports `more` additional rows. */
function tableOf(usedAt: readonly number[], more: number) {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  const terms = FIELDS.map(() => "''").join(', ');
  const insert = db.prepare(`INSERT INTO tools(key, used_at, checksum, ${TERM_COLUMNS}) VALUES (?, ?, '', ${terms})`);
  for (const [key, time] of usedAt.entries()) insert.run(String(key), time);
  const table = new ToolTable({
    exec: (sql) => db.exec(sql),
    prepare: (sql) => db.prepare(sql.replace('count(*) AS rows FROM tools', `count(*) + ${more} AS rows FROM tools`)),
    close: () => db.close(),
  });
  const left = () => db.prepare('SELECT used_at FROM tools ORDER BY used_at, id').pluck().all();
  return { table, left };
}

describe('removeUnused', () => {
  const old = Array.from({ length: 60 }, (_, i) => 100 + i);
  const recent = Array.from({ length: 30 }, (_, i) => 2_000 + i);

  it('removes all that is old, also where fewer rows are too many', async () => {
    const { table, left } = tableOf([...old, ...recent], 100_010 - 90);
    await table.removeUnused([], UNUSED_SINCE);
    expect(left()).toEqual(recent);
  });

  it('removes of what was used lately only the oldest of those that are too many', async () => {
    const { table, left } = tableOf([...old, ...recent], 100_065 - 90);
    await table.removeUnused([], UNUSED_SINCE);
    expect(left()).toEqual(recent.slice(5));
  });
});
