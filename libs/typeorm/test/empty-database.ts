import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/database/create-data-source.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';

/**
 * One SQLite database for all surrounding tests, opened on first use and emptied for each test: a new database would
 * run every migration again. Call it where hooks are allowed.
 *
 * @param on in memory, or in a file of a new directory
 */
export function emptySqlite(on: 'memory' | 'file' = 'memory'): () => Promise<DataSource> {
  let directory: string | undefined;
  let opened: Promise<DataSource> | undefined;
  const open = async () => {
    if (on === 'memory') return createDataSource(dataSourceOptions({ database: ':memory:' }));
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    return createDataSource(dataSourceOptions({ database: join(directory, 'tool-search.sqlite') }));
  };
  afterAll(async () => {
    await (await opened)?.destroy();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });
  return async () => emptied(await (opened ??= open()));
}

/**
 * Resets a database to its state right after the migrations. On PostgreSQL much faster than TRUNCATE, which creates new
 * files.
 */
export async function emptied(dataSource: DataSource): Promise<DataSource> {
  await dataSource.transaction(async (manager) => {
    // Entities are listed in the order in which their tables reference each other.
    for (const { tableName } of dataSource.entityMetadatas.toReversed())
      await manager.query(`DELETE FROM ${tableName}`);
    await manager.query("INSERT INTO tool_search_control_head VALUES (1, 0, 0, '')");
  });
  return dataSource;
}
