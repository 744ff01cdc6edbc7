import { Body, Controller, Module, Post, UseGuards } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { RequestToolbox, Toolbox, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { BillingTools, PlanPolicy } from './billing.tools.js';
import { SignedIn, type SignedInRequest } from './users.js';

@Controller('agent')
@UseGuards(SignedIn)
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
    ToolSearchModule.forRoot({ context: ({ user }: SignedInRequest) => user ?? { tenantId: '' } }),
    ToolSearchTypeOrmModule.forRoot({ url: process.env.DATABASE_URL ?? '' }),
    // Routes of operators, for contexts with `admin: true`.
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }),
  ],
  providers: [BillingTools, PlanPolicy, SignedIn],
  controllers: [AgentController],
})
export class AppModule {}
