import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Tool, ToolCatalog, ToolEvents, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';

class ClockTools {
  @Tool({ description: 'Tell the time.', sideEffects: 'read' })
  now() {
    return new Date(0).toISOString();
  }
}

async function start(sources: (McpSource | OpenApiSource)[]) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 't' }),
        sources,
        catalog: { bootWaitMs: 600_000 },
        tuning: { catalog: { retryMinMs: 20, retryMaxMs: 50 } },
      }),
    ],
    providers: [ClockTools],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.init();
}

describe('a source that is down', () => {
  it('does not stop the boot: it is reported, and everything else works', async () => {
    const app = await start([
      new McpSource({ name: 'gone', command: process.execPath, args: ['-e', 'process.exit(3)'] }),
      new McpSource({ name: 'nowhere', url: 'http://127.0.0.1:9/mcp' }),
      new OpenApiSource({ name: 'missing', document: '/no/such/document.json' }),
    ]);
    const catalog = app.get(ToolCatalog);
    expect(catalog.sources().map(({ source, state }) => [source, state])).toEqual([
      ['app', 'ready'],
      ['gone', 'degraded'],
      ['nowhere', 'degraded'],
      ['missing', 'degraded'],
    ]);
    for (const { code } of catalog.sources().slice(1)) expect(code).toEqual(expect.any(String));
    const result = await app.get(ToolSearchService).open({ tenantId: 't' }).call('clock.now', {});
    expect(result).toMatchObject({ ok: true });
    await app.close();
  });

  it('comes back by itself', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: { '/things': { get: { operationId: 'listThings', summary: 'List things.' } } },
    };
    const api = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"things":[]}'),
    );
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const source = new OpenApiSource({
      name: 'late',
      document,
      baseUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    });
    let failures = 2;
    const load = source.load.bind(source);
    source.load = async (signal) => {
      if (failures-- > 0) throw new Error('not yet');
      return load(signal);
    };
    const app = await start([source]);
    const ready = new Promise<void>((resolve) => {
      const done = () => app.get(ToolCatalog).current().idOf('late.list_things', 't') !== undefined && resolve();
      app.get(ToolEvents).on('catalog.published', done);
      done();
    });
    await ready;
    await expect(
      app.get(ToolSearchService).open({ tenantId: 't' }).call('late.list_things', {}),
    ).resolves.toMatchObject({ ok: true });
    await app.close();
    api.close();
  });
});
