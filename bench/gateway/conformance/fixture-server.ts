import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';
import { FixtureSource } from './fixture.source.js';

const LOCAL = ['localhost', '127.0.0.1'];
/** The address of an MCP server with the fixture; without it, the fixture is in this process. */
const [, , upstream] = process.argv;

/** Serves the fixture under `/mcp/p/conformance`: everything listed, under its own names. */
@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: () => ({ tenantId: 'conformance', userId: 'suite' }),
      sources: [upstream === undefined ? new FixtureSource() : remoteFixture(upstream)],
      // A scenario waits one second for the notification of a change.
      tuning: { catalog: { refreshEveryMs: 10 } },
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

function remoteFixture(url: string): McpSource {
  return new McpSource({
    name: 'fixture',
    url,
    loading: 'always',
    changes: 'trust',
    expose: { resources: true, prompts: true, logging: true },
    input: { elicitation: true, sampling: true, roots: true },
  });
}

async function main(): Promise<void> {
  const app = await NestFactory.create(FixtureModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  console.log(`Ready on ${await app.getUrl()}, for the conformance suite`);
}

void main();
