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
      sources: [new FakeSource('crm', ['find', 'send'])],
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
  ],
})
class Application {}

describe('dry runs over HTTP', () => {
  let app: INestApplication;
  const ask = async (path: string, body: object, user: ToolContext = OLGA) => {
    const headers = { 'x-user': JSON.stringify(user), 'content-type': 'application/json' };
    const url = `${await app.getUrl()}/admin/tools/${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [Application] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme', userId: 'ada' });
    for (const tool of ['crm.find', 'crm.find', 'crm.send']) await toolbox.call(tool, {});
  });
  afterAll(() => app?.close());

  it('answers what would have changed, with the calls', async () => {
    const { body } = await ask('dry-run/kill-switches', { kind: 'tool', value: 'crm.send' });
    expect(body).toMatchObject({ calls: 3, refused: 1, unchanged: 2, unknown: 0 });
    expect(body.examples).toMatchObject([
      { tool: 'crm.send', userId: 'ada', becomes: 'refused', evidence: 'recorded' },
    ]);
    const policy = { tenantId: 'acme', policy: { approval: ['crm.*'] }, calls: 2 };
    expect((await ask('dry-run/policies', policy)).body).toMatchObject({ calls: 2, approval: 2 });
    expect((await ask('dry-run/policies', { tenantId: 'acme' })).body).toMatchObject({ unchanged: 3 });
    const limit = { id: 'few', limit: { match: { tool: 'crm.find' }, rate: { calls: 1, windowMs: 60_000 } } };
    expect((await ask('dry-run/limits', limit)).body).toMatchObject({ calls: 3, refused: 1 });
  });

  it('changes no setting, and refuses callers who are not operators', async () => {
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme', userId: 'ada' });
    expect(await toolbox.call('crm.send', {})).toMatchObject({ ok: true });
    const ada = { tenantId: 'acme', userId: 'ada' };
    expect((await ask('dry-run/kill-switches', { kind: 'tool', value: 'crm.send' }, ada)).status).toBe(403);
  });

  it.each([
    ['dry-run/kill-switches', { kind: 'tool', value: 'a b' }],
    ['dry-run/kill-switches', { kind: 'tool', value: 'crm.send', calls: 10_001 }],
    ['dry-run/policies', { policy: {} }],
    ['dry-run/limits', { id: 'few', limit: {} }],
  ])('refuses what could not be set: %s %j', async (path, given) => {
    expect((await ask(path, given)).body.code).toBe('INVALID_REQUEST');
  });
});
