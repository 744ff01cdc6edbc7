import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import {
  ActivationStore,
  ControlStore,
  DefinitionStore,
  PausedRunStore,
  SearchCache,
  ToolSearchModule,
} from '@tool-search/core';
import { DataSource } from 'typeorm';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { sqliteDriver } from './database/sqlite-driver.js';
import { TypeOrmDefinitionStore } from './definitions/typeorm-definition.store.js';
import { TOOL_SEARCH_DATA_SOURCE } from './database/tool-search-data-source.js';
import { ToolSearchTypeOrmModule } from './tool-search-typeorm.module.js';
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
      'an ungated SQLite DataSource',
      () => ({ dataSource: new DataSource({ type: 'better-sqlite3', driver: sqliteDriver(), database: ':memory:' }) }),
    ],
    ['a path that cannot be', () => ({ database: '/proc/tool-search/a.sqlite' })],
  ])('refuses to boot at once with %s', async (_, options) => {
    await expect(boot(ToolSearchTypeOrmModule.forRoot(options()))).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
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
  });
});
