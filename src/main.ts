import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { isToolSearchError } from '@tool-search/core';
import { AppModule } from './app.module.js';
import { APPLICATION_OPTIONS, configure } from './application.js';
import { type Environment, environment } from './settings/environment.js';

async function main(): Promise<void> {
  // Logs are held back until the application is created, so that an invalid configuration prints one message without a
  // stack trace.
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    ...APPLICATION_OPTIONS,
    abortOnError: false,
    bufferLogs: true,
    autoFlushLogs: false,
  });
  app.flushLogs();
  try {
    const { HOST, PORT } = app.get<Environment>(environment.KEY);
    await configure(app).listen(PORT, HOST);
    new Logger('ToolSearch').log(`Ready on ${await app.getUrl()}, documented at /docs`);
  } catch (error) {
    // If the port is taken, child processes of the sources must be ended.
    await app.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (isToolSearchError(error) && error.hint !== undefined) console.error(error.hint);
  process.exitCode = 1;
});
