import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { z } from 'zod';
import { outcomeOf, start } from '../start.js';

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
    // One tenant. The other examples take it from the user that a guard has authenticated.
    ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }) }),
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const agent = as('');
  const found = await agent.post('agent/search', { query: 'give money back' });
  const [tool] = found.body.tools;
  say(`found ${tool.name}: ${tool.description}`);
  const called = await agent.post('agent/call', { name: tool.name, arguments: { invoiceId: 'inv_1', amount: 5 } });
  say(`called ${tool.name}: ${outcomeOf(called.body)}`);
  await app.close();
}
