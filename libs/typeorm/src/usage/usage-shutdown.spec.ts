import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { SearchGaps, TokenLedger, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '../tool-search-typeorm.module.js';

it('counts are written before the database closes, and are there after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  const context = { tenantId: 'acme', runId: 'r1' };
  const boot = async () => {
    const tools = ToolSearchModule.forRoot({ context: () => context, exposure: 'deferred', tokenizer: 'estimate' });
    const durable = ToolSearchTypeOrmModule.forRoot({ database: join(directory, 'usage.sqlite') });
    return (await Test.createTestingModule({ imports: [tools, durable] }).compile()).init();
  };
  const first = await boot();
  const toolbox = first.get(ToolSearchService).open(context);
  await toolbox.surface();
  await toolbox.search({ query: 'zebra' });
  await first.close();
  const second = await boot();
  expect(await second.get(TokenLedger).totals()).toMatchObject({ steps: 1, tokenizers: ['estimate'] });
  expect(await second.get(SearchGaps).totals()).toMatchObject([{ searches: 1, zeroHits: 1 }]);
  await second.close();
  await rm(directory, { recursive: true });
});
