import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolCallRecords } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import { ToolSearchTypeOrmModule } from '../tool-search-typeorm.module.js';

it('loses no record at an orderly shutdown', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  const context = { tenantId: 'acme', runId: 'r1' };
  const boot = async () => {
    const sources = [new FakeSource('crm', ['find'])];
    // No write before the shutdown.
    const tools = ToolSearchModule.forRoot({
      context: () => context,
      sources,
      tuning: { record: { flushEveryMs: 60_000 } },
    });
    const durable = ToolSearchTypeOrmModule.forRoot({ database: join(directory, 'record.sqlite') });
    return (await Test.createTestingModule({ imports: [tools, durable] }).compile()).init();
  };
  const first = await boot();
  const toolbox = first.get(ToolSearchService).open(context);
  for (let n = 0; n < 250; n++) await toolbox.call('crm.find', {});
  await first.close();
  const second = await boot();
  let found = 0;
  for await (const { outcome } of second.get(ToolCallRecords).entries({ runId: 'r1' }))
    found += Number(outcome === 'ok');
  expect(found).toBe(250);
  await second.close();
  await rm(directory, { recursive: true });
});
