import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { ToolSearchModule } from '@tool-search/core';
import { ActivationStore, ControlStore, DefinitionStore, PausedRunStore, SearchCache } from '@tool-search/core/stores';
import { FakeSource } from '@tool-search/core/testing';
import { DataSource, type Repository } from 'typeorm';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { CallRepository } from './calls/call.repository.js';
import { AuditEntryEntity } from './control/audit-entry.entity.js';
import { AuditEntryRepository } from './control/audit-entry.repository.js';
import { ControlInstanceRepository } from './control/control-instance.repository.js';
import { ControlRecordRepository } from './control/control-record.repository.js';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { sqliteDriver } from './database/sqlite-driver.js';
import { TypeOrmDefinitionStore } from './definitions/typeorm-definition.store.js';
import { TOOL_SEARCH_DATA_SOURCE } from './database/tool-search-data-source.js';
import { DefinitionSourceRepository } from './definitions/definition-source.repository.js';
import { DefinitionRepository } from './definitions/definition.repository.js';
import { HeldResultRepository } from './held-results/held-result.repository.js';
import { LearnedQueryRepository } from './learned-queries/learned-query.repository.js';
import { PausedRunRepository } from './paused-runs/paused-run.repository.js';
import { SearchGapRepository } from './usage/search-gap.repository.js';
import { TokenLedgerRepository } from './usage/token-ledger.repository.js';
import { ToolSearchTypeOrmModule } from './tool-search-typeorm.module.js';
import { ActivationScopeRepository } from './activation/activation-scope.repository.js';
import { ActivationEntity } from './activation/activation.entity.js';
import { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';
import { TypeOrmPausedRunStore } from './paused-runs/typeorm-paused-run.store.js';
import { TypeOrmSearchCache } from './search-cache/typeorm-search-cache.js';

@Injectable()
class AgentService {
  constructor(
    @Inject(ActivationStore) readonly activations: ActivationStore,
    @Inject(ControlStore) readonly control: ControlStore,
    @Inject(DefinitionStore) readonly definitions: DefinitionStore,
    @Inject(PausedRunStore) readonly pausedRuns: PausedRunStore,
    @Inject(SearchCache) readonly cache: SearchCache,
  ) {}
}

/** Does not import the store's module: the store must be available globally. */
@Module({ providers: [AgentService] })
class AgentModule {}

const scope = { tenantId: 't', userId: '', scope: 'run', scopeId: 'r' } as const;

async function boot(...imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>) {
  return (await Test.createTestingModule({ imports: [AgentModule, ...imports] }).compile()).init();
}

async function expectDurable(app: TestingModule): Promise<DataSource> {
  const { activations, control, definitions, pausedRuns, cache } = app.get(AgentService, { strict: false });
  expect(activations).toBeInstanceOf(TypeOrmActivationStore);
  expect(control).toBeInstanceOf(TypeOrmControlStore);
  expect(await control.read()).toEqual({ revision: 0, records: [] });
  expect(definitions).toBeInstanceOf(TypeOrmDefinitionStore);
  expect(await definitions.pins({ owner: '', source: 'docs' })).toBeUndefined();
  expect(pausedRuns).toBeInstanceOf(TypeOrmPausedRunStore);
  expect(cache).toBeInstanceOf(TypeOrmSearchCache);
  await cache.write('index', 'a', Uint8Array.of(1, 2));
  expect(await cache.read('index', 'b')).toEqual(Uint8Array.of(1, 2));
  await activations.activate(scope, [{ tool: 'a.b', reason: 'load', tokens: 1 }], { tools: 0, tokens: 0 }, 5, 0);
  expect(await activations.list(scope, 0)).toEqual([{ tool: 'a.b', reason: 'load', activatedAt: 5, usedAt: 5 }]);
  return app.get<DataSource>(getDataSourceToken(TOOL_SEARCH_DATA_SOURCE), { strict: false });
}

describe('ToolSearchTypeOrmModule', () => {
  let directory: string;
  const home = process.cwd();
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  });
  afterEach(async () => {
    process.chdir(home);
    await rm(directory, { recursive: true });
  });

  it('keeps activations and the search cache in a SQLite file when it is imported as it is, and closes it on shutdown', async () => {
    process.chdir(directory);
    const app = await boot(ToolSearchTypeOrmModule);
    const dataSource = await expectDurable(app);
    expect(dataSource.options.database).toBe('.tool-search/tool-search.sqlite');
    await app.close();
    expect(dataSource.isInitialized).toBe(false);
  });

  const readsItsOwnQueries = async (options: object) => {
    @Injectable()
    class Report {
      constructor(
        @Inject(ActivationStore) readonly store: ActivationStore,
        @InjectRepository(ActivationEntity, TOOL_SEARCH_DATA_SOURCE) readonly active: Repository<ActivationEntity>,
        @InjectRepository(AuditEntryEntity, TOOL_SEARCH_DATA_SOURCE) readonly audit: Repository<AuditEntryEntity>,
        readonly entries: AuditEntryRepository,
        readonly calls: CallRepository,
        readonly records: ControlRecordRepository,
        readonly learned: LearnedQueryRepository,
        readonly definitions: DefinitionRepository,
        readonly scopes: ActivationScopeRepository,
        readonly sources: DefinitionSourceRepository,
        readonly held: HeldResultRepository,
        readonly paused: PausedRunRepository,
        readonly instances: ControlInstanceRepository,
        readonly gaps: SearchGapRepository,
        readonly ledger: TokenLedgerRepository,
      ) {}
    }
    @Module({ providers: [Report] })
    class ReportModule {}

    const app = await boot(ReportModule, ToolSearchTypeOrmModule.forRoot(options));
    const report = app.get(Report, { strict: false });
    const { store, active, audit, entries, calls, records, learned } = report;
    for (const [scopeId, tools] of Object.entries({ r1: ['a.b'], r2: ['a.b', 'a.c'] })) {
      const added = tools.map((tool) => ({ tool, reason: 'load' as const, tokens: 7 }));
      await store.activate({ ...scope, tenantId: 'report', scopeId }, added, { tools: 0, tokens: 0 }, 5, 0);
    }
    const counted = await active
      .createQueryBuilder('active')
      .select('active.tool', 'tool')
      .addSelect('COUNT(*)', 'scopes')
      .where({ tenantId: 'report' })
      .groupBy('active.tool')
      .orderBy('active.tool')
      .getRawMany<{ tool: string; scopes: number | string }>();
    expect(counted.map(({ tool, scopes }) => [tool, Number(scopes)])).toEqual([
      ['a.b', 2],
      ['a.c', 1],
    ]);
    // Bigints of PostgreSQL are numbers, JSON is an object.
    expect(await active.findBy({ scopeId: 'r1' })).toMatchObject([{ tool: 'a.b', activatedAt: 5, lastUsedAt: 5 }]);
    const put = { kind: 'kill_switch', key: 'a.b', tenantId: '', value: { tool: 'a.b' }, expiresAt: 0 } as const;
    const change = { action: 'kill_switch.engaged', actor: 'ada', reason: 'r', tenantId: '', subject: 'a.b', at: 1 };
    await app.get(AgentService, { strict: false }).control.change({ ...change, put, idempotencyKey: '' });
    expect(await audit.find()).toMatchObject([{ seq: 1, actor: 'ada', before: null, after: { tool: 'a.b' } }]);
    expect(await entries.listMatching({ actor: 'ada' }, { limit: 9 }, 'ASC')).toEqual(await audit.find());
    expect(await records.findRecord('kill_switch', 'a.b')).toMatchObject({ revision: 1, value: { tool: 'a.b' } });
    expect(await calls.matching({ tenantId: 'report' }).getCount()).toBe(0);
    await learned.addUse('report', 'a.b', 'words', 5);
    expect(await learned.listOf('report')).toEqual([{ tool: 'a.b', query: 'words', uses: 1, lastUsedAt: 5 }]);
    expect(await report.definitions.listPins({ owner: 'report', source: 'none' })).toBeUndefined();
    expect(await report.sources.register({ owner: 'report', source: 'crm' })).toBe(true);
    expect(await report.sources.revisionOf({ owner: 'report', source: 'crm' })).toBeGreaterThan(0);
    expect(await report.scopes.lastUse({ ...scope, tenantId: 'report', scopeId: 'r1' }, 0)).toBe(5);
    const holder = { tenantId: 'report', userId: 'ada', agent: '' };
    await report.held.begin({ handle: 'h1', ...holder, tool: 'a.b', length: 0 }, 60_000);
    expect(await report.held.findLive('h1', holder)).toBeNull();
    expect(await report.held.findOldest('report')).toMatchObject({ handle: 'h1', complete: false });
    expect(await report.paused.findRun({ tenantId: 'report', userId: '', runId: 'r1' })).toBeUndefined();
    await report.instances.beat('report', 3);
    const alive = await report.instances.listAlive(60_000);
    expect(alive.find(({ id }) => id === 'report')).toMatchObject({ appliedRevision: 3 });
    expect(await report.gaps.sumTenants({ tenantId: 'report' }, { limit: 9 })).toEqual([]);
    expect(await report.ledger.sumMatching({ tenantId: 'report' })).toEqual([]);
    await app.close();
  };

  it('lets an application query its activations and audit trail with repositories', () =>
    readsItsOwnQueries({ database: ':memory:' }));

  it('lets a query of the application wait for the transaction of another request', async () => {
    const app = await boot(ToolSearchTypeOrmModule.forRoot({ database: ':memory:' }));
    const dataSource = await expectDurable(app);
    const before = await dataSource.getRepository(ActivationEntity).count();
    const deleted = new EventEmitter();
    const failing = dataSource.transaction(async (manager) => {
      await manager.delete(ActivationEntity, { tool: 'a.b' });
      deleted.emit('done');
      await setTimeout(20);
      throw new Error('rolled back');
    });
    await once(deleted, 'done');
    const counted = dataSource.getRepository(ActivationEntity).count();
    await expect(failing).rejects.toThrow('rolled back');
    expect(await counted).toBe(before);
    await app.close();
  });

  it('says in the log where the state is', async () => {
    const lines: string[] = [];
    const log = (text: unknown) => void lines.push(String(text));
    const database = join(directory, 'state.sqlite');
    const tools = ToolSearchModule.forRoot({ context: () => ({ tenantId: 't' }) });
    const app = await Test.createTestingModule({ imports: [tools, ToolSearchTypeOrmModule.forRoot({ database })] })
      .setLogger({ log, error: log, warn: log })
      .compile();
    await app.init();
    await app.close();
    expect(lines.filter((line) => line.startsWith('State: '))).toEqual([`State: SQLite file ${database}, one process`]);
  });

  it.each(['url', 'database', 'dataSource'])('refuses %s from a variable that is not set', async (key) => {
    const refusal = { code: 'INVALID_CONFIGURATION', message: expect.stringContaining(`${key} is undefined`) };
    const options = { [key]: undefined };
    expect(() => ToolSearchTypeOrmModule.forRoot(options)).toThrow(expect.objectContaining(refusal));
    const later = ToolSearchTypeOrmModule.forRootAsync({ useFactory: () => options });
    await expect(boot(later)).rejects.toMatchObject(refusal);
  });

  it('takes a path', async () => {
    const database = join(directory, 'state', 'activations.sqlite');
    const app = await boot(ToolSearchTypeOrmModule.forRoot({ database }));
    expect((await expectDurable(app)).options.database).toBe(database);
    await app.close();
  });

  it('takes injected options, beside a DataSource of the application', async () => {
    const app = await boot(
      TypeOrmModule.forRoot({ type: 'better-sqlite3', driver: sqliteDriver(), database: ':memory:' }),
      ToolSearchTypeOrmModule.forRootAsync({
        inject: [DataSource],
        useFactory: async ({ options }: DataSource) => ({ database: String(options.database) }),
      }),
    );
    const dataSource = await expectDurable(app);
    expect(dataSource).not.toBe(app.get(DataSource, { strict: false }));
    await app.close();
  });

  it.each([
    [
      'a SQLite DataSource of the application',
      () => ({ dataSource: new DataSource({ type: 'better-sqlite3', driver: sqliteDriver(), database: ':memory:' }) }),
    ],
    ['a path that cannot be', () => ({ database: '/proc/tool-search/a.sqlite' })],
  ])('refuses to boot at once with %s', async (_, options) => {
    await expect(boot(ToolSearchTypeOrmModule.forRoot(options()))).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  describe('whose file the application opens too', () => {
    const fileOf = () => join(directory, 'tool-search.sqlite');
    const own = (more: object = {}) => ({
      type: 'better-sqlite3' as const,
      driver: sqliteDriver(),
      database: fileOf(),
      ...more,
    });
    const ours = () => ToolSearchTypeOrmModule.forRoot({ database: fileOf() });
    const initialized = async (...imports: Parameters<typeof boot>) => {
      const app = await Test.createTestingModule({ imports: [AgentModule, ...imports] }).compile();
      const outcome = await app.init().then(
        () => 'booted',
        (error: unknown) => error,
      );
      await app.close();
      return outcome;
    };
    const refusal = { code: 'INVALID_CONFIGURATION', hint: expect.stringContaining('another file') };

    it('refuses to boot beside a DataSource of the application, in whichever order', async () => {
      expect(await initialized(TypeOrmModule.forRoot(own()), ours())).toMatchObject(refusal);
      expect(await initialized(ours(), TypeOrmModule.forRoot(own()))).toMatchObject(refusal);
    });

    (process.platform === 'linux' ? it : it.skip)(
      'refuses to boot beside a connection that Nest does not know',
      async () => {
        const other = await new DataSource(own()).initialize();
        expect(await initialized(ours())).toMatchObject(refusal);
        await other.destroy();
        expect(await initialized(ours())).toBe('booted');
      },
    );

    it('boots beside a connection that only reads, one to another file, and another application', async () => {
      expect(await initialized(ours())).toBe('booted');
      expect(await initialized(TypeOrmModule.forRoot(own({ readonly: true })), ours())).toBe('booted');
      const elsewhere = own({ database: join(directory, 'other.sqlite') });
      expect(await initialized(TypeOrmModule.forRoot(elsewhere), ours())).toBe('booted');
      const first = await boot(ours());
      expect(await initialized(ours())).toBe('booted');
      await first.close();
    });
  });

  it('logs no closed connection where the application is closed directly after its boot', async () => {
    const said: string[] = [];
    const log = (text: unknown) => void said.push(String(text));
    const logger = { log: () => undefined, error: log, warn: log };
    const context = () => ({ tenantId: 't' });
    const many = Array.from({ length: 300 }, (_, id) => ({ name: `tool_${id}`, run: () => 'done' }));
    // oxlint-disable-next-line typescript/unbound-method -- called with its object below
    const { write } = TypeOrmSearchCache.prototype;
    for (const isStoreFirst of [true, false]) {
      const began = new EventEmitter();
      const slow = jest.spyOn(TypeOrmSearchCache.prototype, 'write').mockImplementation(async function (
        this: TypeOrmSearchCache,
        ...entry
      ) {
        began.emit('write');
        for (let turn = 0; turn < 100; turn++) await setImmediate();
        return write.apply(this, entry);
      });
      const store = ToolSearchTypeOrmModule.forRoot({ database: join(directory, `${isStoreFirst}.sqlite`) });
      const tools = ToolSearchModule.forRoot({ context, sources: [new FakeSource('many', many)], exposure: 'on' });
      const imports = isStoreFirst ? [store, tools] : [tools, store];
      const app = await Test.createTestingModule({ imports }).setLogger(logger).compile();
      const writing = once(began, 'write');
      await app.init();
      await writing;
      await app.close();
      for (let turn = 0; turn < 300; turn++) await setImmediate();
      slow.mockRestore();
    }
    expect(said).toEqual([]);
  });

  describeOnPostgres('it works', (url) => {
    it('with an address', async () => {
      const app = await boot(ToolSearchTypeOrmModule.forRoot({ url: url() }));
      expect((await expectDurable(app)).options.type).toBe('postgres');
      await app.close();
    });

    it.each([
      ['before', true],
      ['after', false],
    ])('and leaves no instance behind on shutdown when it is imported %s ToolSearchModule', async (_, isBefore) => {
      const tools = ToolSearchModule.forRoot({ context: () => ({ tenantId: 't' }), sources: [] });
      const store = ToolSearchTypeOrmModule.forRoot({ url: url() });
      const app = await boot(...(isBefore ? [store, tools] : [tools, store]));
      const observer = await new DataSource({ type: 'postgres', url: url() }).initialize();
      const instances = async () => (await observer.query('SELECT id FROM tool_search_instances')).length;
      while ((await instances()) === 0) await setTimeout(5);
      await app.close();
      expect(await instances()).toBe(0);
      await observer.destroy();
    });

    it("with the application's DataSource, which stays the application's", async () => {
      const app = await boot(
        TypeOrmModule.forRoot({ type: 'postgres', url: url() }),
        ToolSearchTypeOrmModule.forRootAsync({
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => ({ dataSource }),
        }),
      );
      const own = await expectDurable(app);
      expect(own).not.toBe(app.get(DataSource, { strict: false }));
      await app.close();
      expect(own.isInitialized).toBe(false);
    });

    it('with repositories for queries of the application', () => readsItsOwnQueries({ url: url() }));
  });
});
