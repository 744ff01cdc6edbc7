import type { AcceptedTool } from '@tool-search/core/stores';
import { describeDefinitionStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmDefinitionStore } from './typeorm-definition.store.js';

const KEY = { owner: 'acme', source: 'docs' };

const tools = (count: number, of: Partial<AcceptedTool> = {}): readonly AcceptedTool[] =>
  Array.from({ length: count }, (_, index) => ({
    tool: `t${index}`,
    fingerprint: 'f'.repeat(64),
    volatile: [],
    listed: true,
    acceptedAt: 1,
    origin: { description: 'x'.repeat(2_000) },
    ...of,
  }));

const inMemory = emptySqlite();

describeDefinitionStore('TypeOrmDefinitionStore on SQLite', async () => ({
  store: new TypeOrmDefinitionStore(await inMemory()),
  close: async () => {},
}));

describe('TypeOrmDefinitionStore on SQLite', () => {
  let dataSource: DataSource;
  let store: TypeOrmDefinitionStore;
  beforeEach(async () => {
    dataSource = await inMemory();
    store = new TypeOrmDefinitionStore(dataSource);
  });

  it('lets the event loop turn again and again while it writes and reads a large source', async () => {
    const turnsDuring = async (work: () => Promise<unknown>) => {
      let turns = 0;
      let isOver = false;
      const turn = () => {
        turns += 1;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await work();
      isOver = true;
      return turns;
    };
    expect(await turnsDuring(() => store.register(KEY, tools(1_000)))).toBeGreaterThanOrEqual(9);
    expect(await turnsDuring(() => store.origins(KEY))).toBeGreaterThanOrEqual(9);
    const gone = tools(1_000).map(({ tool }) => tool);
    expect(await turnsDuring(() => store.change(KEY, { accepted: [], gone }))).toBeGreaterThanOrEqual(9);
  });

  it('takes back what it had written of a change that fails on the way', async () => {
    await store.register(KEY, tools(3));
    const before = await store.pins(KEY);
    const bad = { ...tools(1)[0], tool: 'bad', origin: { no: 1n } } as unknown as AcceptedTool;
    await expect(store.change(KEY, { accepted: [...tools(500), bad], gone: ['t1'] })).rejects.toThrow('BigInt');
    expect(await store.pins(KEY)).toEqual(before);
    await expect(store.register({ ...KEY, source: 'other' }, [...tools(500), bad])).rejects.toThrow('BigInt');
    expect(await store.pins({ ...KEY, source: 'other' })).toBeUndefined();
  });

  it('misses one tool where one row is damaged', async () => {
    await store.register(KEY, tools(3));
    const damage = (column: string, tool: string) =>
      dataSource.query(`UPDATE tool_search_definitions SET ${column} = '{' WHERE tool = '"${tool}"'`);
    await damage('origin', 't1');
    await damage('volatile', 't2');
    expect([...(await store.origins(KEY)).keys()].toSorted()).toEqual(['t0', 't2']);
    await damage('tool', 't0');
    expect(await store.pins(KEY)).toMatchObject({ pins: [{ tool: 't1' }, { tool: 't2', volatile: [] }] });
  });

  it('leaves no definition behind without its source', async () => {
    await store.register(KEY, tools(3));
    await store.forget(KEY);
    expect(await dataSource.query('SELECT COUNT(*) AS n FROM tool_search_definitions')).toEqual([{ n: 0 }]);
  });
});

describeOnPostgres('TypeOrmDefinitionStore', (url) => {
  let instances: readonly DataSource[];
  beforeAll(async () => {
    instances = await Promise.all([1, 2, 3].map(() => openPatiently(url())));
  });
  afterAll(() => Promise.all(instances.map((each) => each.destroy())));

  const stores = async () => {
    await instances[0]?.query('TRUNCATE tool_search_definition_sources CASCADE');
    return instances.map((each) => new TypeOrmDefinitionStore(each)) as [
      TypeOrmDefinitionStore,
      TypeOrmDefinitionStore,
      TypeOrmDefinitionStore,
    ];
  };

  describeDefinitionStore('TypeOrmDefinitionStore', async () => ({
    store: (await stores())[0],
    close: async () => {},
  }));

  it('lets one of several instances register, as a whole', async () => {
    const all = await stores();
    for (let round = 0; round < 10; round += 1) {
      const key = { ...KEY, source: `docs${round}` };
      await Promise.all(all.map((store, at) => store.register(key, tools(200, { acceptedAt: at }))));
      const found = await all[0].pins(key);
      const pins = found === undefined || found === 'unchanged' ? [] : found.pins;
      expect(pins).toHaveLength(200);
      expect(new Set(pins.map(({ acceptedAt }) => acceptedAt)).size).toBe(1);
    }
  });

  it('keeps the changes of several instances that write at once, in any order of tools', async () => {
    const all = await stores();
    await all[0].register(KEY, tools(50));
    const before = await all[0].pins(KEY);
    const changes = Array.from({ length: 30 }, (_, at) => {
      const accepted = tools(50, { acceptedAt: at });
      const own = { ...tools(1)[0], tool: `own${at}` } as AcceptedTool;
      return { accepted: [own, ...(at % 2 ? accepted : accepted.toReversed())], gone: [`own${at - 1}`] };
    });
    await Promise.all(changes.map(async (change, at) => all[at % 3]?.change(KEY, change)));
    const after = await all[1].pins(KEY);
    const [{ revision: from }, { revision: to, pins }] = [before, after] as [
      { revision: number },
      { revision: number; pins: readonly { acceptedAt: number; tool: string }[] },
    ];
    expect(to).toBe(from + 30);
    expect(pins).toHaveLength(80);
    expect(new Set(pins.filter(({ tool }) => tool.startsWith('t')).map(({ acceptedAt }) => acceptedAt)).size).toBe(1);
  });

  it('registers once while another instance deletes the source', async () => {
    const [one, two, three] = await stores();
    await one.register(KEY, tools(20));
    await Promise.all([
      one.forget(KEY),
      two.change(KEY, { accepted: tools(20, { acceptedAt: 2 }), gone: [] }),
      three.register(KEY, tools(20, { acceptedAt: 3 })),
    ]);
    const found = await one.pins(KEY);
    // The order of the three calls decides whether the source exists; it never exists in part.
    expect([undefined, 20]).toContain(found === undefined || found === 'unchanged' ? undefined : found.pins.length);
  });
});
