import { Global, type INestApplication, Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type ToolContext, ToolSearchModule } from '@tool-search/core';
import { SearchCache } from '@tool-search/core/stores';
import { FakeSource, MemorySearchCache } from '@tool-search/core/testing';
import { ToolAdminModule } from '../tool-admin.module.js';

const OLGA = { tenantId: 'ops', userId: 'olga', admin: true };

async function start(modules: readonly Type[]): Promise<INestApplication> {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ headers }: { headers: Record<string, string> }): ToolContext => JSON.parse(headers['x-user'] ?? ''),
        sources: [new FakeSource('files', ['read_file', 'write_file'])],
        exposure: 'deferred',
      }),
      ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
      ...modules,
    ],
  })
  class Application {}
  const module = await Test.createTestingModule({ imports: [Application] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

async function ask(app: INestApplication, path: string, method = 'DELETE', user: ToolContext = OLGA) {
  const headers = { 'x-user': JSON.stringify(user) };
  const response = await fetch(`${await app.getUrl()}/admin/tools/${path}`, { method, headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('the search cache of operators', () => {
  it('is emptied by operators only, with a reason for the audit trail', async () => {
    const cache = new MemorySearchCache();
    for (const id of ['a', 'b']) await cache.write('vectors:old', id, Uint8Array.of(1));
    @Global()
    @Module({ providers: [{ provide: SearchCache, useValue: cache }], exports: [SearchCache] })
    class CacheModule {}
    const app = await start([CacheModule]);
    expect((await ask(app, 'search-cache?reason=r', 'DELETE', { tenantId: 'acme' })).status).toBe(403);
    for (const query of ['', '?reason=', '?reason=%20', '?reason=r&kind=vectors']) {
      expect((await ask(app, `search-cache${query}`)).body.code).toBe('INVALID_REQUEST');
    }
    expect(cache.idsOf('vectors:old')).toEqual(['a', 'b']);
    const { status, body } = await ask(app, 'search-cache?reason=another%20embedder');
    expect([status, body.removed]).toEqual([200, expect.any(Number)]);
    expect(body.removed).toBeGreaterThanOrEqual(2);
    expect([cache.idsOf('vectors:old'), cache.idsOf('memory-index')]).toEqual([[], []]);
    expect((await ask(app, 'audit?action=search_cache.', 'GET')).body.items).toMatchObject([
      { action: 'search_cache.cleared', actor: 'olga@ops', reason: 'another embedder' },
    ]);
    jest.spyOn(cache, 'clear').mockRejectedValue(new Error('disk on fire'));
    const failed = await ask(app, 'search-cache?reason=r');
    expect([failed.status, failed.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    expect(JSON.stringify(failed.body)).not.toContain('fire');
    await app.close();
  });

  it('has 0 entries if no module provides a cache', async () => {
    const app = await start([]);
    expect((await ask(app, 'search-cache?reason=r')).body).toEqual({ removed: 0 });
    await app.close();
  });
});
