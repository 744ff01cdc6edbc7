import { Body, Controller, Get, type INestApplication, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolAdminModule } from '@tool-search/admin';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule, type ToolSearchTypeOrmOptions } from '@tool-search/typeorm';
import { IsInt, IsPositive, IsString } from 'class-validator';
import { z } from 'zod';

export type Adapter = 'express' | 'fastify';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

export class Payout {
  @IsString()
  readonly iban: string;

  @IsInt()
  @IsPositive()
  readonly cents: number;
}

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice, fully or in part.', input: Refund, loading: 'deferred' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }

  @Tool({ description: 'Pay out the balance to a bank account.', input: Payout, loading: 'deferred' })
  payOut({ iban, cents }: Payout, { tenantId }: ToolContext) {
    return `${tenantId} paid ${cents} cents to ${iban}`;
  }
}

@Controller('agent')
export class AgentController {
  @Get('tools')
  async tools(@RequestToolbox() toolbox: Toolbox) {
    const { tools } = await toolbox.surface();
    return tools.map(({ name }) => name);
  }

  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body() { query }: { query: string }) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() body: { name: string; arguments: unknown }) {
    return toolbox.call(body.name, body.arguments);
  }

  @Post('pause')
  pause(@RequestToolbox() toolbox: Toolbox) {
    return toolbox.pause();
  }

  @Post('resume')
  resume(@RequestToolbox() toolbox: Toolbox) {
    return toolbox.resume();
  }
}

const context = ({ headers }: { headers: Record<string, string | undefined> }): ToolContext => ({
  tenantId: headers['x-tenant'] ?? '',
  sessionId: headers['x-session'],
  runId: headers['x-run'],
  userId: headers['x-operator'],
  admin: headers['x-operator'] !== undefined,
});

/** An application with tools, a durable store and the operator routes. */
function applicationModule(store: ToolSearchTypeOrmOptions) {
  @Module({
    imports: [
      // No expiry: a database may have been written long ago.
      ToolSearchModule.forRoot({ context, exposure: 'deferred', activation: { idleTtlMs: 0 }, runs: { ttlMs: 0 } }),
      ToolSearchTypeOrmModule.forRoot(store),
      ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
    ],
    providers: [BillingTools],
    controllers: [AgentController],
  })
  class ApplicationModule {}
  return ApplicationModule;
}

export async function createApplication(adapter: Adapter, store: ToolSearchTypeOrmOptions): Promise<INestApplication> {
  const options = { logger: ['error', 'warn'] as ('error' | 'warn')[], forceCloseConnections: true };
  const module = applicationModule(store);
  if (adapter === 'express') return NestFactory.create(module, options);
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(module, new FastifyAdapter(), options);
}
