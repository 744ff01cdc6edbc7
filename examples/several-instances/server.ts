import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolAdminModule } from '@tool-search/admin';
import { Tool, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { AgentController } from '../agent.controller.js';
import { SignedIn, userOf } from '../users.js';

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', sideEffects: 'write' })
  refund(_input: object, { tenantId }: ToolContext) {
    return `refunded for ${tenantId}`;
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: userOf,
      limits: { rules: [{ id: 'hourly', per: ['user'], rate: { calls: 3, windowMs: 3_600_000 } }] },
    }),
    // Tables are created at boot, also when several instances start at once.
    ToolSearchTypeOrmModule.forRoot({ url: databaseUrl() }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }),
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
class AppModule {}

function databaseUrl(): string {
  const url = process.env.DATABASE_URL;
  // Without this line an instance with a forgotten variable would have decisions of its own.
  if (!url) throw new Error('set DATABASE_URL to the address of a PostgreSQL database');
  return url;
}

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
  console.log(`listening on ${await app.getUrl()}`);
}

void bootstrap();
