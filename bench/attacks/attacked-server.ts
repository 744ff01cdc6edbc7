import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ToolSearchModule } from '@tool-search/core';
import { AppModule } from '../../src/app.module.js';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { ALL_ATTACKS } from './all-attacks.js';

// The reference server with the sources of one attack, which tells its parent how long its event loop was blocked.

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

async function main(): Promise<void> {
  const sources = ALL_ATTACKS.find(({ name }) => name === process.argv[2])?.sources?.() ?? [];

  @Module({ imports: [AppModule, ToolSearchModule.forFeature({ sources })] })
  class AttackedModule {}

  const app = await NestFactory.create<NestExpressApplication>(AttackedModule, {
    ...APPLICATION_OPTIONS,
    logger: false,
  });
  await configure(app).listen(0, '127.0.0.1');
  // On a busy machine a connection would be closed while the next request is on its way.
  app.getHttpServer().keepAliveTimeout = 0;
  delay.enable();
  process.on('message', () => {
    process.send?.(Math.max(0, delay.max / 1e6 - RESOLUTION_MS));
    delay.reset();
  });
  process.channel?.unref();
  console.log(`Ready on ${await app.getUrl()},`);
}

void main();
