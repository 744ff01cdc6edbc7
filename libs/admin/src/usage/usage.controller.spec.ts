import { type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { ToolAdminModule } from '../tool-admin.module.js';

const OLGA = { tenantId: 'ops', userId: 'olga', admin: true };

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: ({ headers }: { headers: Record<string, string> }): ToolContext => JSON.parse(headers['x-user'] ?? ''),
      sources: [new FakeSource('files', ['read_file', 'write_file'])],
      exposure: 'deferred',
      countTokens: (text) => text.length,
      search: { gaps: { keepQueries: true } },
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
  ],
})
class Application {}

describe('what operators read of tokens and search gaps', () => {
  let app: INestApplication;
  const ask = async (path: string, user: ToolContext = OLGA, method = 'GET') => {
    const headers = { 'x-user': JSON.stringify(user) };
    const response = await fetch(`${await app.getUrl()}/admin/tools/${path}`, { method, headers });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const work = async (tenantId: string, sessionId: string) => {
    const toolbox = app.get(ToolSearchService).open({ tenantId, sessionId, runId: sessionId });
    await toolbox.surface();
    await toolbox.call('tool_search', { query: `${tenantId} zebra` });
    await toolbox.surface();
  };

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [Application] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    await work('acme', 's1');
    await work('acme', 's2');
    await work('globex', 's1');
  });
  afterAll(() => app?.close());

  it('refuses callers who are not operators', async () => {
    const paths = ['tokens', 'tokens/hours', 'tokens/sessions', 'search-gaps', 'search-gaps/queries?tenantId=acme'];
    const answers = await Promise.all(paths.map((path) => ask(path, { tenantId: 'acme', userId: 'ada' })));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 403));
  });

  it('sums in total, of a tenant and since an hour', async () => {
    const { body: all } = await ask('tokens');
    expect(all).toMatchObject({
      writingTokens: 0,
      steps: 6,
      metaCalls: 3,
      cacheKept: 3,
      cacheBroken: 0,
      tokenizers: ['custom'],
    });
    expect(all.savedTokens).toBe(all.fullTokens - all.shownTokens);
    const { body: acme } = await ask('tokens?tenantId=acme');
    expect([acme.steps, acme.writingTokens]).toEqual([4, undefined]);
    expect((await ask(`tokens?since=${Date.now()}`)).body.steps).toBe(6);
    expect((await ask(`tokens?since=${Date.now() + 7_200_000}`)).body).toMatchObject({ steps: 0, tokenizers: [] });
    expect((await ask('tokens?since=x')).status).toBe(400);
  });

  it('lists sessions page by page', async () => {
    const { body: first } = await ask('tokens/sessions?limit=2');
    const { body: second } = await ask(`tokens/sessions?limit=2&cursor=${first.next}`);
    const seen = [...first.items, ...second.items] as { tenantId: string; sessionId: string; steps: number }[];
    expect(seen.map(({ tenantId, sessionId, steps }) => [tenantId, sessionId, steps])).toEqual([
      ['acme', 's1', 2],
      ['acme', 's2', 2],
      ['globex', 's1', 2],
    ]);
    expect([first.items.length, second.next]).toEqual([2, undefined]);
    expect((await ask('tokens/sessions?cursor=x')).body.code).toBe('INVALID_REQUEST');
    expect((await ask('tokens/sessions?tenantId=globex')).body.items).toHaveLength(1);
  });

  it('lists search gaps and their words, and forgets them with a reason', async () => {
    const gaps = { searches: 2, zeroHits: 2, unused: 0, loops: 0 };
    const { body: page } = await ask('search-gaps?limit=1');
    expect(page.items).toEqual([{ tenantId: 'acme', ...gaps }]);
    expect((await ask(`search-gaps?cursor=${page.next}`)).body.items).toMatchObject([
      { tenantId: 'globex', searches: 1 },
    ]);
    const words = { kind: 'zero_hit', query: 'acme zebra', uses: 2, lastUsedAt: expect.any(Number) };
    expect((await ask('search-gaps/queries?tenantId=acme')).body).toEqual({ items: [words] });
    expect((await ask('search-gaps/queries?tenantId=acme&kind=unused')).body.items).toEqual([]);
    expect((await ask('search-gaps/queries')).status).toBe(400);
    // A negative offset would return the last words as the first page.
    const forged = Buffer.from(JSON.stringify(['search-gap-words', -1])).toString('base64url');
    expect((await ask(`search-gaps/queries?tenantId=acme&cursor=${forged}`)).body.code).toBe('INVALID_REQUEST');

    expect((await ask('search-gaps?tenantId=acme', OLGA, 'DELETE')).status).toBe(400);
    expect((await ask('search-gaps?reason=r', OLGA, 'DELETE')).body.code).toBe('CONFIRMATION_REQUIRED');
    expect((await ask('search-gaps?tenantId=acme&reason=rebuilt', OLGA, 'DELETE')).body).toEqual({ removed: 2 });
    expect((await ask('search-gaps')).body.items).toMatchObject([{ tenantId: 'globex' }]);
    const { body: trail } = await ask('audit?action=search_gaps.');
    expect(trail.items).toMatchObject([{ action: 'search_gaps.reset', actor: 'olga@ops', reason: 'rebuilt' }]);
  });
});
