import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { answeringSources } from '../datasets/mixed-catalog.js';

/** The caller of the application's gateway. */
export const MIXED_USER = { tenantId: 'acme', userId: 'ada' } as const;
const BOOT_WAIT_MS = 120_000;

/**
 * An application with recorded tools of MCP servers, served under `/mcp`.
 *
 * @param folder of the catalogs
 */
export function mixedApp(folder: string, servers: readonly string[]): Promise<INestApplication> {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => MIXED_USER,
        sources: answeringSources(folder, servers),
        catalog: { bootWaitMs: BOOT_WAIT_MS },
      }),
      ToolGatewayModule.forRoot({ path: 'mcp', anonymous: true }),
    ],
  })
  class MixedModule {}
  return NestFactory.create(MixedModule, { logger: ['error'], abortOnError: false });
}
