import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { z } from 'zod';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice, fully or in part.', input: Refund, loading: 'deferred' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }
}

@Controller('agent')
export class AgentController {
  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body('query') query: string) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body('name') name: string, @Body('arguments') input: unknown) {
    return toolbox.call(name, input);
  }
}

@Module({
  imports: [
    // In your application, take the tenant from verified authentication, never from a header that any client can set.
    ToolSearchModule.forRoot({
      context: ({ headers }: { headers: Record<string, string | undefined> }) => ({
        tenantId: headers['x-tenant'] ?? '',
      }),
    }),
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
export class AppModule {}
