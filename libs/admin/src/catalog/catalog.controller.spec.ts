import { setTimeout } from 'node:timers/promises';
import { type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AuditTrail, type ToolContext, ToolSearchError, ToolSearchModule } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { ToolAdminModule } from '../tool-admin.module.js';

const OLGA = { tenantId: 'ops', userId: 'olga', admin: true };

describe('a source that an operator loads again', () => {
  let app: INestApplication;
  let pages: FakeSource;
  let own: FakeSource;
  const start = async (refreshEveryMs = 1) => {
    pages = new FakeSource('pages', ['read_page']);
    own = new FakeSource('notes', ['read_note'], { owner: 'acme' });
    @Module({
      imports: [
        ToolSearchModule.forRoot({
          context: ({ headers }: { headers: Record<string, string> }): ToolContext =>
            JSON.parse(headers['x-user'] ?? ''),
          sources: [pages, own],
          tuning: { catalog: { refreshEveryMs } },
        }),
        ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
      ],
    })
    class Application {}
    const module = await Test.createTestingModule({ imports: [Application] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    // Until it may be loaded again.
    await setTimeout(5);
  };
  beforeEach(() => start());
  afterEach(() => app.close());

  const ask = async (path: string, body?: object, user: ToolContext = OLGA) => {
    const headers = { 'x-user': JSON.stringify(user), 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${await app.getUrl()}/admin/tools/${path}`, { headers, ...sent });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const reload = (body: object = { reason: 'it has a new tool' }, source = 'pages') =>
    ask(`sources/${source}/reload`, body);

  it('has its newest tools when the route answers, and the trail says who wanted it', async () => {
    pages.setTools(['read_page', 'list_pages']);
    expect(await reload()).toMatchObject({
      status: 200,
      body: { source: 'pages', owner: '', state: 'ready', tools: 2, refusedCount: 0, held: 0 },
    });
    expect((await ask('catalog?source=pages&q=pages.list')).body.items).toMatchObject([{ name: 'pages.list_pages' }]);
    // Once more because the source has reported its change.
    expect(pages.loads).toBeGreaterThanOrEqual(2);
    expect(own.loads).toBe(1);
    expect((await ask('audit?action=source.')).body.items).toMatchObject([
      { action: 'source.reloaded', subject: 'pages', actor: 'olga@ops', reason: 'it has a new tool', tenantId: '' },
    ]);
  });

  it('may be one that belongs to a tenant', async () => {
    own.setTools(['read_note', 'list_notes']);
    const { body } = await reload({ reason: 'a new tool', owner: 'acme' }, 'notes');
    expect(body).toMatchObject({ source: 'notes', owner: 'acme', tools: 2 });
    expect(own.loads).toBeGreaterThanOrEqual(2);
    expect(pages.loads).toBe(1);
    expect((await ask('audit?action=source.&tenantId=acme')).body.items).toMatchObject([{ tenantId: 'acme' }]);
  });

  it('keeps its tools if it fails, and says so without the words of the failure', async () => {
    pages.failWith(new Error('its password is hunter2'));
    const failed = await reload();
    expect(failed.body).toMatchObject({ state: 'degraded', code: 'SOURCE_UNAVAILABLE', tools: 1 });
    expect(failed.text).not.toContain('hunter2');
  });

  it('is not loaded again and again', async () => {
    await app.close();
    await start(60_000);
    const { status, body } = await reload();
    expect([status, body.code, pages.loads]).toEqual([429, 'RATE_LIMITED', 1]);
    expect(body.hint).toMatch(/^Nothing was done\. Ask again in \d+ seconds\.$/);
    expect((await ask('audit?action=source.')).body.items).toEqual([]);
  });

  it('is not loaded without a reason, by who is no operator or only reads, under an unknown name, or without the trail', async () => {
    const refused = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body.code;
    const given = { reason: 'r' };
    expect(await refused('sources/pages/reload', {})).toBe('INVALID_REQUEST');
    expect(await refused('sources/pages/reload', { reason: ' ' })).toBe('INVALID_REQUEST');
    expect(await refused('sources/pages/reload', { ...given, source: 'pages' })).toBe('INVALID_REQUEST');
    expect(await refused('sources/none/reload', given)).toBe('NOT_FOUND');
    expect(await refused('sources/notes/reload', given)).toBe('NOT_FOUND');
    expect(await refused('sources/notes/reload', { ...given, owner: 'globex' })).toBe('NOT_FOUND');
    expect(await refused('sources/pages/reload', given, { tenantId: 'acme' })).toBe('FORBIDDEN');
    const reader = { ...OLGA, admin: { tenants: 'all', readOnly: true } } as const;
    expect(await refused('sources/pages/reload', given, reader)).toBe('FORBIDDEN');
    const unavailable = new ToolSearchError('STORE_UNAVAILABLE', 'The trail cannot be written.');
    jest.spyOn(app.get(AuditTrail), 'note').mockRejectedValue(unavailable);
    expect(await refused('sources/pages/reload', given)).toBe('STORE_UNAVAILABLE');
    expect([pages.loads, own.loads]).toEqual([1, 1]);
  });
});
