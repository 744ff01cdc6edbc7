// #region quick-start
import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { z } from 'zod';

const Invoice = z.object({ invoiceId: z.string() });
const Refund = Invoice.extend({ amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice, fully or in part.', input: Refund, tags: ['money'], loading: 'deferred' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }

  @Tool({ description: 'Delete an invoice for ever.', input: Invoice, loading: 'deferred' })
  deleteInvoice({ invoiceId }: z.infer<typeof Invoice>) {
    return `${invoiceId} is gone`;
  }
}

@Controller('agent')
export class AgentController {
  @Get('tools')
  async tools(@RequestToolbox() toolbox: Toolbox) {
    const { tools } = await toolbox.surface(); // what a model would be shown now
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
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      // Take the tenant from your own authentication; a guard has run by now. A session is one conversation.
      context: ({ headers }: { headers: Record<string, string | undefined> }) => ({
        tenantId: headers['x-tenant'] ?? '',
        sessionId: headers['x-session'],
      }),
      policy: { deny: ['billing.delete_*'] }, // no tenant has these
      exposure: 'deferred', // the default, `auto`, lists two tools like ours without a search
    }),
    ToolSearchTypeOrmModule, // durable: a SQLite file in .tool-search/
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
export class AppModule {}
// #endregion quick-start
