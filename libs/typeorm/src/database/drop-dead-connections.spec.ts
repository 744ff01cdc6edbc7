import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { TcpProxy } from '../../test/tcp-proxy.js';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions } from './data-source-options.js';

/** A query on a dead connection ends with it; one that is answered must not, on a busy machine either. */
const QUERY_TIMEOUT_MS = 4_000;

describeOnPostgres('dropDeadConnections', (url) => {
  let proxy: TcpProxy;
  let dataSource: DataSource;
  beforeEach(async () => {
    // Migrations may take longer than a query.
    await (await createDataSource(dataSourceOptions({ url: url() }))).destroy();
    proxy = new TcpProxy(new URL(url()));
    const options = dataSourceOptions({ url: (await proxy.open()).href });
    dataSource = await createDataSource({
      ...options,
      poolSize: 1,
      extra: { query_timeout: QUERY_TIMEOUT_MS },
    } as DataSourceOptions);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await proxy.close();
  });

  const expectAnswers = async () => expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);

  it('asks over a new connection after one query on a dead one was not answered', async () => {
    for (let round = 0; round < 2; round++) {
      await expectAnswers();
      proxy.fallSilent();
      await expect(dataSource.query('SELECT 1')).rejects.toThrow('timeout');
      await expectAnswers();
    }
    expect(proxy.connections).toBe(3);
  });

  it('serves those who waited for the connection meanwhile', async () => {
    proxy.fallSilent();
    const lost = dataSource.query('SELECT 1').catch((error: unknown) => error);
    await Promise.all([expectAnswers(), expectAnswers()]);
    expect(await lost).toBeInstanceOf(Error);
  });

  it('lets go of a connection that dies within a transaction', async () => {
    const lost = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      proxy.fallSilent();
      await manager.query('SELECT 2');
    });
    await expect(lost).rejects.toThrow('timeout');
    await expectAnswers();
    expect(proxy.connections).toBe(2);
  });

  it('keeps a connection on which a query fails', async () => {
    for (let round = 0; round < 3; round++) {
      await expect(dataSource.query('SELECT 1 / 0')).rejects.toThrow('zero');
      await expectAnswers();
    }
    expect(proxy.connections).toBe(1);
  });
});
