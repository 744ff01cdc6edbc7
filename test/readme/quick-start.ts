// #region quick-start
import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import type { Request } from 'express';
import { z } from 'zod';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice, fully or in part.', input: Refund, tags: ['money'], loading: 'deferred' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }
}

@Controller('agent')
export class AgentController {
  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body() { query }: { query: string }) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() body: { name: string; arguments: unknown }) {
    return toolbox.call(body.name, body.arguments);
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      // Take the tenant from your own authentication; a guard has run by now.
      context: (request: Request) => ({ tenantId: request.header('x-tenant') ?? '' }),
      policy: { deny: ['billing.delete_*'] },
    }),
    ToolSearchTypeOrmModule, // durable: a SQLite file in .tool-search/
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
export class AppModule {}
// #endregion quick-start
