import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Logger } from '@nestjs/common';
import type { ControlChange } from '@tool-search/core/stores';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TcpProxy } from '../../test/tcp-proxy.js';
import { type ListenerPatience, PostgresListener } from './postgres-listener.js';
import { TypeOrmControlStore } from './typeorm-control.store.js';

const QUICK: ListenerPatience = { heartbeatMs: 50, timeoutMs: 300, minBackoffMs: 20, maxBackoffMs: 100 };

const engage = (key: string): ControlChange => ({
  action: 'kill_switch.engaged',
  actor: 'ada',
  reason: 'it pays twice',
  tenantId: '',
  subject: key,
  at: 1,
  put: { kind: 'kill_switch', key, tenantId: '', value: { glob: key }, expiresAt: 0 },
  idempotencyKey: '',
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Counts hints and waits for a number of them. */
class Hints {
  count = 0;
  readonly add = () => void (this.count += 1);

  async beyond(count: number): Promise<void> {
    while (this.count <= count) await setTimeout(5);
  }
}

describeOnPostgres('PostgresListener', (url) => {
  let dataSource: DataSource;
  let store: TypeOrmControlStore;
  let hints: Hints;
  let listener: PostgresListener | undefined;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
    store = new TypeOrmControlStore(dataSource);
  });
  afterAll(() => dataSource.destroy());
  beforeEach(() => {
    hints = new Hints();
  });
  afterEach(async () => {
    await listener?.stop();
    listener = undefined;
  });

  const listeners = async (): Promise<number[]> => {
    const rows: { pid: number }[] = await dataSource.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'tool-search-listener' AND datname = current_database()",
    );
    return rows.map(({ pid }) => pid);
  };
  const gone = async () => {
    while ((await listeners()).length > 0) await setTimeout(5);
  };

  it('gives a hint when it listens, and one for each revision that another instance writes', async () => {
    const other = await openPatiently(url());
    const stop = await store.watch?.(hints.add);
    await hints.beyond(0);
    for (let i = 1; i <= 5; i++) {
      await new TypeOrmControlStore(other).change(engage(`tool${i}`));
      await hints.beyond(i);
    }
    await store.change({ ...engage('a note'), put: undefined });
    await store.change({ ...engage('refused'), expectedRevision: 9 });
    await store.change(engage('own'));
    await hints.beyond(6);
    expect(hints.count).toBe(7);
    await stop?.();
    await other.destroy();
  });

  it('leaves no connection behind when it stops, and gives no hint afterwards', async () => {
    const stop = await store.watch?.(hints.add);
    await hints.beyond(0);
    expect(await listeners()).toHaveLength(1);
    await stop?.();
    await gone();
    await store.change(engage('late'));
    await setTimeout(50);
    expect(hints.count).toBe(1);
  });

  it('can be stopped while it connects', async () => {
    const stop = await store.watch?.(hints.add);
    await stop?.();
    await gone();
    expect(hints.count).toBe(0);
  });

  it('listens again when its connection was ended, and then hints at what it may have missed', async () => {
    listener = new PostgresListener(dataSource, hints.add, { minBackoffMs: 20 });
    await hints.beyond(0);
    for (let round = 0; round < 5; round++) {
      const before = hints.count;
      const pids = await listeners();
      await dataSource.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
      await store.change(engage('missed'));
      await hints.beyond(before);
    }
    const before = hints.count;
    await store.change(engage('heard'));
    await hints.beyond(before);
  });

  it('does not accumulate memory with the heartbeats of a long connection', async () => {
    const { Client } = (dataSource.driver as PostgresDriver).postgres;
    const answers: WeakRef<object>[] = [];
    const original = Client.prototype.query as (...asked: unknown[]) => Promise<unknown>;
    const query = jest.spyOn(Client.prototype, 'query');
    query.mockImplementation(async function (this: unknown, ...asked: unknown[]) {
      const answer = (await original.apply(this, asked)) as object;
      answers.push(new WeakRef(answer));
      return answer;
    });
    listener = new PostgresListener(dataSource, hints.add, { heartbeatMs: 1 });
    while (answers.length < 100) await setTimeout(5);
    query.mockRestore();
    collectGarbage();
    expect(answers.filter((answer) => answer.deref()).length).toBeLessThan(10);
  });

  describe('behind something else', () => {
    let behind: DataSource;
    const listenThrough = async (proxy: TcpProxy): Promise<URL> => {
      const address = await proxy.open();
      behind = new DataSource({ type: 'postgres', url: address.href, poolSize: 1 });
      await behind.initialize();
      listener = new PostgresListener(behind, hints.add, QUICK);
      return address;
    };
    afterEach(async () => {
      await listener?.stop();
      await behind.destroy();
    });

    it('notices a connection that has silently died, and listens again', async () => {
      const proxy = new TcpProxy(new URL(url()));
      await listenThrough(proxy);
      await hints.beyond(0);
      for (let round = 0; round < 3; round++) {
        const before = hints.count;
        const connections = proxy.connections;
        proxy.fallSilent();
        await store.change(engage('missed'));
        await hints.beyond(before);
        expect(proxy.connections).toBeGreaterThan(connections);
        const again = hints.count;
        await store.change(engage('heard'));
        await hints.beyond(again);
      }
      await listener?.stop();
      await proxy.close();
    });

    it('retries as long as no server answers', async () => {
      const proxy = new TcpProxy(new URL(url()));
      const { port } = await listenThrough(proxy);
      await hints.beyond(0);
      await proxy.close();
      await store.change(engage('missed'));
      await setTimeout(300); // some attempts are refused
      const before = hints.count;
      const back = new TcpProxy(new URL(url()));
      await back.open(Number(port));
      await hints.beyond(before);
      await listener?.stop();
      await back.close();
    });

    it('reports once in each outage that no server answers, without its address', async () => {
      const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      let proxy = new TcpProxy(new URL(url()));
      const { port } = await listenThrough(proxy);
      await hints.beyond(0);
      for (let outage = 1; outage <= 2; outage++) {
        const before = hints.count;
        await proxy.close();
        while (warned.mock.calls.length < outage) await setTimeout(5);
        await setTimeout(300); // and some more attempts are refused
        proxy = new TcpProxy(new URL(url()));
        await proxy.open(Number(port));
        await hints.beyond(before);
        expect(warned).toHaveBeenCalledTimes(outage);
      }
      expect(warned.mock.calls[0]?.[0]).toContain('ECONNREFUSED');
      expect(JSON.stringify(warned.mock.calls)).not.toMatch(new RegExp(`${port}|127\\.0`));
      await listener?.stop();
      await proxy.close();
      warned.mockRestore();
    });

    it('says once that a pooler does not keep listening, and goes on trying', async () => {
      const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      // As behind a transaction pooler: the session that runs the later query is not the session that listens.
      const pooler = new TcpProxy(new URL(url()), (sent) => {
        const listen = 'LISTEN tool_search_control';
        const at = sent.indexOf(listen);
        if (at >= 0) sent.write('SELECT 1'.padEnd(listen.length), at);
        return sent;
      });
      await listenThrough(pooler);
      await hints.beyond(3);
      expect(warned.mock.calls.filter(([line]) => String(line).includes('transaction pooler'))).toHaveLength(1);
      await listener?.stop();
      await pooler.close();
      warned.mockRestore();
    });
  });
});
