// #region module
import { Module } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { ToolConsoleModule } from '@tool-search/console';
import { ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { AgentController } from './agent.controller.js';
import { BillingTools } from './billing.tools.js';
import { PlanPolicy } from './plan.policy.js';
import { contextOf, SignedInGuard } from './signed-in.guard.js';

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: contextOf,
      exposure: 'deferred', // the default, `auto`, lists two tools like ours without a search
      policy: {
        arguments: [
          {
            id: 'large-refund',
            tools: ['billing.refund'],
            when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 100 } } },
            then: 'approve', // a second person looks at each such call
            reason: 'somebody looks at refunds over 100',
          },
        ],
      },
      limits: { rules: [{ id: 'minute', per: ['user'], rate: { calls: 60, windowMs: 60_000 } }] },
    }),
    // One file for one process; for several `{ url }` of a PostgreSQL database.
    ToolSearchTypeOrmModule.forRootAsync({
      useFactory: () => ({ database: process.env.STATE_FILE ?? '.tool-search/guard-to-console.sqlite' }),
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedInGuard] }), // for contexts with `admin: true`
    ToolConsoleModule.forRoot({ path: 'console', api: '../admin/tools' }), // the page has no data of its own
  ],
  controllers: [AgentController],
  providers: [BillingTools, PlanPolicy],
})
export class AppModule {}
// #endregion module
