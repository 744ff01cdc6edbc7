import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { FixtureSource } from './fixture.source.js';

const LOCAL = ['localhost', '127.0.0.1'];

/** Serves the fixture under `/mcp/p/conformance`: everything listed, under the tools' own names. */
@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: () => ({ tenantId: 'conformance', userId: 'suite' }),
      sources: [new FixtureSource()],
      // A scenario waits one second for the notification of a change.
      catalog: { refreshEveryMs: 10 },
    }),
    ToolGatewayModule.forRoot({
      path: 'mcp',
      anonymous: true,
      profiles: { conformance: { exposure: 'all', prefix: false } },
      allowedHosts: LOCAL,
      allowedOrigins: LOCAL,
      // The suite opens all sessions as one caller.
      sessions: { maxPerCaller: 1000 },
    }),
  ],
})
class FixtureModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(FixtureModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  console.log(`Ready on ${await app.getUrl()}, for the conformance suite`);
}

void main();
