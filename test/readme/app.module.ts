// #region quick-start
import { Body, Controller, Get, HttpCode, Injectable, Module, Param, Post } from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { z } from 'zod';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice, fully or in part.', input: Refund, loading: 'deferred' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }
}

@Controller('tools')
export class ToolsController {
  @Get() // the names that a model is shown now
  async list(@RequestToolbox() toolbox: Toolbox) {
    const { meta, tools } = await toolbox.surface();
    return [...meta, ...tools].map(({ name }) => name);
  }

  @Post(':name') // what a model calls: tool_search, or a tool that it found
  @HttpCode(200)
  call(@RequestToolbox() toolbox: Toolbox, @Param('name') name: string, @Body() input: unknown) {
    return toolbox.call(name, input);
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      // Who is asking: from your authentication, whose guards have run by now. A session is one conversation.
      context: ({ headers }) => ({ tenantId: headers['x-tenant'], sessionId: headers['x-session'] }),
      exposure: 'deferred', // the default, `auto`, lists a few tools like these from the start
    }),
    ToolSearchTypeOrmModule, // durable: a SQLite file in .tool-search/
  ],
  providers: [BillingTools],
  controllers: [ToolsController],
})
export class AppModule {}
// #endregion quick-start
