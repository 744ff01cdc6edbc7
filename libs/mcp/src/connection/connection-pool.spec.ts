import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConnectionPool } from './connection-pool.js';
import type { Access } from './credentials.js';
import type { McpConnection } from './mcp-connection.js';

const MAX = 3;

/** Access of a user, whose tenant is what the name begins with. */
const accessOf = (holder: string) => ({ holder, tenantId: holder.split('.')[0], digest: holder }) as Access;

describe('ConnectionPool', () => {
  let pool: ConnectionPool;
  /** Holders whose connections are open, in the order of opening. */
  let open: string[];
  let most: number;
  afterEach(() => pool.close());

  beforeEach(() => {
    open = [];
    most = 0;
    pool = new ConnectionPool({ open: opened, maxConnections: MAX, idleMs: 1e6, lazy: false });
  });

  /** A connection that is retired once its last call has ended, as a real one. */
  const opened = async ({ holder }: Access, ended: () => void) => {
    let running = 0;
    let isRetired = false;
    open.push(holder);
    most = Math.max(most, open.length);
    const end = () => {
      const at = open.indexOf(holder);
      if (connection.isOver || at < 0) return;
      connection.isOver = true;
      open.splice(at, 1);
      ended();
    };
    const connection = {
      isOver: false,
      retire: async () => ((isRetired = true), running === 0 && end()),
      close: async () => end(),
      call: async (work: Promise<void>) => {
        running += 1;
        await work;
        running -= 1;
        if (isRetired && running === 0) end();
      },
    };
    return connection as unknown as McpConnection;
  };

  /** A call that runs until it is let go of. */
  const call = (holder: string) => {
    let letGo: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (letGo = resolve));
    const done = pool.use(accessOf(holder), new AbortController().signal, (connection) =>
      (connection as unknown as { call: (work: Promise<void>) => Promise<void> }).call(work),
    );
    return { done, letGo };
  };
  const turns = async () => {
    for (let n = 0; n < 50; n += 1) await Promise.resolve();
  };
  const idle = async (holder: string) => {
    const one = call(holder);
    one.letGo();
    await one.done;
  };

  it('opens no more than twice as many for one tenant, also for calls at the same time, and serves another', async () => {
    const busy = Array.from({ length: 20 }, (_, n) => call(`acme.${n}`));
    await turns();
    expect(open.filter((holder) => holder.startsWith('acme'))).toHaveLength(2 * MAX);
    const other = call('globex.gus');
    await turns();
    expect(open).toContain('globex.gus');
    for (const { letGo } of [other, ...busy]) letGo();
    await Promise.all([other, ...busy].map(({ done }) => done));
    expect(most).toBeLessThan(4 * MAX);
  });

  it('keeps the idle connection of a tenant, however many users of another one come', async () => {
    await idle('globex.gus');
    for (let n = 0; n < 20; n += 1) await idle(`acme.${n}`);
    expect(open).toEqual(['globex.gus', 'acme.18', 'acme.19']);
    await idle('initech.ina');
    expect(open).toEqual(['globex.gus', 'acme.19', 'initech.ina']);
  });

  it('lets no tenant wait for the calls of others while it has an idle connection of its own', async () => {
    const busy = ['c.1', 'c.2', 'c.3', 'a.1', 'a.2', 'a.3', 'a.4', 'a.5'].map((holder) => call(holder));
    await turns();
    await idle('b.1');
    await idle('b.2');
    const third = call('b.3');
    await turns();
    expect(open).toContain('b.3');
    for (const { letGo } of [...busy, third]) letGo();
    await Promise.all([...busy, third].map(({ done }) => done));
  });

  it('closes an idle connection first, then the least recently used one after its calls', async () => {
    const busy = call('acme.1');
    await turns();
    await idle('acme.2');
    await idle('acme.3');
    await idle('acme.4');
    expect(open).toEqual(['acme.1', 'acme.3', 'acme.4']);
    busy.letGo();
    await busy.done;
    await idle('acme.5');
    expect(open).toEqual(['acme.3', 'acme.4', 'acme.5']);
  });

  it('keeps nothing of calls that were aborted while they waited', async () => {
    const busy = Array.from({ length: 2 * MAX }, (_, n) => call(`acme.${n}`));
    await turns();
    const signals: WeakRef<AbortSignal>[] = [];
    const waitInVain = async (n: number) => {
      const caller = new AbortController();
      signals.push(new WeakRef(caller.signal));
      const waiting = pool.use(accessOf(`acme.late-${n}`), caller.signal, async () => undefined);
      await turns();
      caller.abort(new Error('gone'));
      await expect(waiting).rejects.toThrow('gone');
    };
    for (let n = 0; n < 100; n += 1) await waitInVain(n);
    // A reference is kept until the end of the turn in which it was made.
    await new Promise((resolve) => void setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(signals.filter((signal) => signal.deref()).length).toBeLessThan(10);
    for (const { letGo } of busy) letGo();
    await Promise.all(busy.map(({ done }) => done));
  });
});
