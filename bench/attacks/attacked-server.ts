import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ToolSearchModule } from '@tool-search/core';
import { AppModule } from '../../src/app.module.js';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { ALL_ATTACKS } from './all-attacks.js';
import { EventLoopClock } from './event-loop-clock.js';

// The reference server with the sources of one attack. Reports to its parent process how long its event loop was
// blocked.

async function main(): Promise<void> {
  const [, , name, host = ''] = process.argv;
  const attack = ALL_ATTACKS.find((each) => each.name === name);
  const sources = attack?.sources?.(host) ?? [];
  Object.assign(process.env, attack?.env);

  @Module({ imports: [AppModule, ToolSearchModule.forFeature({ sources })] })
  class AttackedModule {}

  const app = await NestFactory.create<NestExpressApplication>(AttackedModule, {
    ...APPLICATION_OPTIONS,
    logger: false,
  });
  await configure(app).listen(0, '127.0.0.1');
  // On a busy machine, an idle connection could be closed while the next request is on its way.
  app.getHttpServer().keepAliveTimeout = 0;
  const clock = new EventLoopClock();
  clock.start();
  process.on('message', () => process.send?.(clock.longest()));
  process.channel?.unref();
  console.log(`Ready on ${await app.getUrl()},`);
}

void main();
