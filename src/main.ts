import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { APPLICATION_OPTIONS, configure } from './application.js';
import type { Environment } from './settings/environment.js';
import { environment } from './settings/settings.js';

async function main(): Promise<void> {
  const app = configure(
    await NestFactory.create<NestExpressApplication>(AppModule, { ...APPLICATION_OPTIONS, abortOnError: false }),
  );
  const { PORT } = app.get<Environment>(environment.KEY);
  await app.listen(PORT);
  new Logger('ToolSearch').log(`Ready on ${await app.getUrl()}, documented at /docs`);
}

main().catch((error: unknown) => {
  // A refused configuration says what is wrong in its message; a stack would bury it.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
