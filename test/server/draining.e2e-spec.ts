import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Module, Post } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { RequestToolbox, TokenLedger, type Toolbox, ToolSearchModule } from '@tool-search/core';
import { ToolCallStore } from '@tool-search/core/stores';
import { FakeSource } from '@tool-search/core/testing';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';

const data = mkdtempSync(join(tmpdir(), 'tool-search-draining-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

@Controller()
class ReportController {
  @Post('report')
  async report(@RequestToolbox() toolbox: Toolbox) {
    const result = await toolbox.call('reports.build', {});
    await toolbox.surface();
    return result;
  }
}

/** An application whose tool runs until `result` is there. */
async function start(result: Promise<string>, onRun: () => unknown) {
  const run = () => {
    onRun();
    return result;
  };
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme', userId: 'ada' }),
        sources: [new FakeSource('reports', [{ name: 'build', sideEffects: 'read', run }])],
        record: {},
        ledger: { countAll: true },
      }),
      ToolSearchTypeOrmModule.forRoot({ database: join(data, 'app.sqlite') }),
    ],
    controllers: [ReportController],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>();
  await app.listen(0, '127.0.0.1');
  return app;
}

it('records and counts a request that ends while the application drains its HTTP requests', async () => {
  let finish: (text: string) => void = () => undefined;
  const result = new Promise<string>((resolve) => (finish = resolve));
  let isRunning = false;
  const app = await start(result, () => (isRunning = true));
  const store = app.get(ToolCallStore);
  const add = store.add.bind(store);
  // A database that is slow for this one write.
  jest.spyOn(store, 'add').mockImplementation(async (records) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return add(records);
  });
  const answer = fetch(`${await app.getUrl()}/report`, { method: 'POST', headers: { connection: 'close' } });
  while (!isRunning) await new Promise(setImmediate);
  const closed = app.close();
  while ((app.getHttpServer() as { listening: boolean }).listening) await new Promise(setImmediate);
  finish('built');
  expect(await (await answer).json()).toMatchObject({ ok: true });
  await closed;

  const next = await start(result, () => undefined);
  const records = await next.get(ToolCallStore).list({ tenantId: 'acme' }, { limit: 10 });
  const { steps } = await next.get(TokenLedger).totals({ tenantId: 'acme' });
  await next.close();
  expect(records.find(({ kind }) => kind === 'call')).toMatchObject({ tool: 'reports.build', outcome: 'ok' });
  expect([records.map(({ kind }) => kind).sort(), steps]).toEqual([['call', 'shown'], 1]);
});
