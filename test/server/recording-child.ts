import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CodeSource, defineTool, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '../../libs/typeorm/src/index.js';

const FLUSH_EVERY_MS = 50;
/** Long enough for a flush and its write. SQLite writes on this thread, so whatever delays a write delays this clock. */
const WINDOW_MS = 10 * FLUSH_EVERY_MS;

/**
 * Calls a tool again and again, as several clients would, and records the calls in the given SQLite file until it is
 * killed. Prints the run of each call that was answered, and a line for each flush window that has passed since.
 */
async function record([database = '', prefix = '']: string[]): Promise<void> {
  const ping = defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' });

  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
        sources: [new CodeSource({ name: 'health', tools: [ping] })],
        exposure: 'all',
        tuning: { record: { flushEveryMs: FLUSH_EVERY_MS } },
      }),
      ToolSearchTypeOrmModule.forRoot({ database }),
    ],
  })
  class Application {}

  const app = await NestFactory.createApplicationContext(Application, { logger: false });
  const toolboxes = app.get(ToolSearchService);
  const say = (line: string) => new Promise((written) => void process.stdout.write(`${line}\n`, written));
  setInterval(() => void say('window'), WINDOW_MS);
  const client = async (name: string) => {
    for (let n = 0; ; n++) {
      const runId = `${prefix}-${name}-${n}`;
      const result = await toolboxes.open({ tenantId: 'acme', runId }).call('health.ping', {});
      await say(result.ok ? `answered ${runId}` : `failed ${runId} ${result.code}`);
      await setTimeout(1);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(client));
}

void record(process.argv.slice(2));
