import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ActivationStore, ResultCache } from '@tool-search/core/stores';
import { FakeSource } from '@tool-search/core/testing';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import {
  OwnStoresModule,
  ReportModule,
  SharedResults,
  StarredActivations,
  StarsModule,
  TenantActivations,
  ToolsOfUsers,
} from './repositories.js';

type Place = { database: string } | { url: string };

const source = (name: string, ...tools: readonly string[]) =>
  new FakeSource(
    name,
    tools.map((tool) => ({ name: tool, run: () => 'done' })),
  );
const ADA = { tenantId: 'acme', userId: 'ada' };
const SESSION = { ...ADA, scope: 'session', scopeId: 's1' } as const;

async function boot(...imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>) {
  const tools = ToolSearchModule.forRoot({
    context: () => ADA,
    sources: [source('crm', 'find', 'note'), source('mail', 'send')],
    exposure: 'deferred',
  });
  return (await Test.createTestingModule({ imports: [tools, ...imports] }).compile()).init();
}

async function call(app: TestingModule, name: string, who: object = { ...ADA, sessionId: 's1' }): Promise<void> {
  const answer = await app
    .get(ToolSearchService)
    .open(who as typeof ADA)
    .call(name, {});
  expect(answer).toMatchObject({ ok: true });
}

@Module({ providers: [ToolsOfUsers] })
class ListModule {}

async function lists(place: Place): Promise<void> {
  const app = await boot(ReportModule, ListModule, ToolSearchTypeOrmModule.forRoot(place));
  await call(app, 'crm.find');
  await call(app, 'crm.note');
  await call(app, 'crm.note', { ...ADA, sessionId: 's2' });
  await call(app, 'mail.send', { tenantId: 'acme', userId: 'bob', sessionId: 's1' });
  await call(app, 'mail.send', { tenantId: 'globex', userId: 'ada', sessionId: 's1' });
  const listed = await app.get(ToolsOfUsers, { strict: false }).list('acme', 'ada');
  expect(listed.map(({ tool: name, scopeId }) => `${name} ${scopeId}`).toSorted()).toEqual([
    'crm.find s1',
    'crm.note s1',
    'crm.note s2',
  ]);
  const activations = app.get(TenantActivations, { strict: false });
  const counted = await activations.mostActive('acme');
  expect(counted.map(({ tool: name, scopes }) => [name, Number(scopes)])).toEqual([
    ['crm.note', 2],
    ['crm.find', 1],
    ['mail.send', 1],
  ]);
  expect((await activations.listActive(SESSION, 0)).map(({ tool: name }) => name).toSorted()).toEqual([
    'crm.find',
    'crm.note',
  ]);
  await app.close();
}

async function stars(place: Place): Promise<void> {
  // The column comes to a database that is in use.
  const before = await boot(ToolSearchTypeOrmModule.forRoot(place));
  await call(before, 'crm.find');
  await before.close();

  const app = await boot(StarsModule.forRoot(place));
  const activations = app.get(StarredActivations, { strict: false });
  const starred = async () => (await activations.starredBy('acme', 'ada')).map(({ tool: name }) => name);
  await call(app, 'mail.send');
  expect(await starred()).toEqual([]);
  expect(await activations.star(SESSION, 'crm.find')).toBe(true);
  expect(await activations.star(SESSION, 'mail.send')).toBe(true);
  expect(await activations.star(SESSION, 'crm.note')).toBe(false);
  expect(await starred()).toEqual(['crm.find', 'mail.send']);
  expect(await activations.listActive(SESSION, 0)).toHaveLength(2);
  // Using a tool again keeps its column; revoking it removes the row.
  await call(app, 'mail.send');
  await app.get(ActivationStore, { strict: false }).revoke(SESSION, 'crm.find');
  expect(await starred()).toEqual(['mail.send']);
  await app.close();

  // An instance of an earlier version of the application does not know the column.
  const earlier = await boot(ToolSearchTypeOrmModule.forRoot(place));
  await call(earlier, 'crm.note');
  await earlier.close();
  const again = await boot(StarsModule.forRoot(place));
  const stored = await again.get(StarredActivations, { strict: false }).findBy(SESSION);
  expect(stored.map(({ tool: name, starred: isStarred }) => `${name} ${isStarred}`).toSorted()).toEqual([
    'crm.note false',
    'mail.send true',
  ]);
  await again.close();
}

describe('repositories of the library in an application', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tool-search-repositories-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const place = () => ({ database: join(folder, 'tools.sqlite') });

  it("list a user's activations", () => lists(place()));
  it('have a column that the application adds to activations', () => stars(place()));
});

describeOnPostgres('repositories of the library in an application', (url) => {
  it("list a user's activations", () => lists({ url: url() }));
});

describeOnPostgres('a column that an application adds to activations', (url) => {
  it('is stored with them', () => stars({ url: url() }));
});

describe('a store of the application', () => {
  const database = ':memory:';

  it('is used from a global module', async () => {
    const results = new FakeSource('crm', [{ name: 'find', sideEffects: 'read', run: () => 'done' }]);
    const tools = ToolSearchModule.forRoot({
      context: () => ADA,
      sources: [results],
      resultCache: { tools: [{ match: ['crm.*'], ttlMs: 60_000 }] },
    });
    const imports = [OwnStoresModule, ToolSearchTypeOrmModule.forRoot({ database }), tools];
    const app = await (await Test.createTestingModule({ imports }).compile()).init();
    const written = jest.spyOn(app.get<SharedResults>(ResultCache, { strict: false }), 'write');
    await call(app, 'crm.find');
    expect(written.mock.calls).toMatchObject([[{ tenantId: 'acme', tool: 'crm.find' }]]);
    await app.close();
  });

  it('is refused where nobody looks for it', async () => {
    @Module({
      imports: [ToolSearchTypeOrmModule.forRoot({ database })],
      providers: [{ provide: ResultCache, useClass: SharedResults }],
    })
    class AppModule {}
    await expect(boot(AppModule)).rejects.toMatchObject({
      message: expect.stringContaining('ResultCache of AppModule'),
    });
  });
});
