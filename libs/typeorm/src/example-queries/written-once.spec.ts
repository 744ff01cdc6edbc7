import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import type { DescribedForWriter } from '@tool-search/core/engine';
import { ExampleQueries } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import type { ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { ToolSearchTypeOrmModule } from '../tool-search-typeorm.module.js';

const TOOLS = Array.from({ length: 12 }, (_, index) => `tool_${index}`);
const asked: string[] = [];

async function write(tools: readonly DescribedForWriter[]) {
  asked.push(...tools.map(({ name }) => name));
  return { tools: tools.map(({ name }) => ({ name, queries: [`frobnicate the ${name}`] })) };
}

async function boot(database: ToolSearchTypeOrmOptions) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
        exposure: 'deferred',
        sources: [new FakeSource('shop', TOOLS)],
        search: { exampleQueries: { writer: { id: 'scripted', write } } },
        tuning: { search: { exampleQueries: { batchSize: 3 } } },
      }),
      ToolSearchTypeOrmModule.forRoot(database),
    ],
  })
  class Application {}
  const module = await Test.createTestingModule({ imports: [Application] })
    .setLogger(false as never)
    .compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  const queries = app.get(ExampleQueries);
  const isWritten = async () => {
    for (let tries = 0; queries.status().written < TOOLS.length && tries < 4000; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return queries.status();
  };
  const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme' });
  const find = async () => (await toolbox.search({ query: 'frobnicate tool_7' })).tools[0]?.name;
  return { app, isWritten, find };
}

beforeEach(() => asked.splice(0));

it('writes once for each definition, over restarts, on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'queries-'));
  try {
    const database = { database: join(folder, 'tools.sqlite') };
    const first = await boot(database);
    expect(await first.isWritten()).toMatchObject({ written: 12, pending: 0 });
    await first.app.close();
    const second = await boot(database);
    // Stored queries are part of the first index, so the first search has them.
    expect(await second.find()).toBe('shop.tool_7');
    expect(await second.isWritten()).toMatchObject({ written: 12, pending: 0 });
    expect(asked.toSorted()).toEqual(TOOLS.map((tool) => `shop.${tool}`).toSorted());
    await second.app.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describeOnPostgres('example queries', (url) => {
  it('are written once by two instances together', async () => {
    const instances = await Promise.all([1, 2].map(() => boot({ url: url() })));
    for (const { isWritten } of instances) expect(await isWritten()).toMatchObject({ written: 12, pending: 0 });
    expect(asked.toSorted()).toEqual(TOOLS.map((tool) => `shop.${tool}`).toSorted());
    await Promise.all(instances.map(({ app }) => app.close()));
  }, 120_000);
});
