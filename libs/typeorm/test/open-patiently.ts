import type { DataSource, DataSourceOptions } from 'typeorm';
import { createDataSource } from '../src/database/create-data-source.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';

/** Opens a PostgreSQL database as the library does, but without the timeouts that a slow machine may exceed. */
export async function openPatiently(url: string): Promise<DataSource> {
  const dataSource = await createDataSource({
    ...dataSourceOptions({ url }),
    connectTimeoutMS: 600_000,
    extra: { query_timeout: 600_000 },
  } as DataSourceOptions);
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner);
    runner.query = (sql: string, ...rest: never[]) => query(withoutLimits(sql), ...rest);
    return runner;
  };
  return dataSource;
}

/** Removes the timeouts of a transaction that holds a lock or waits for one. */
function withoutLimits(sql: string): string {
  return sql.replaceAll(/(_timeout', )'\d+s'/g, "$1'0'");
}
