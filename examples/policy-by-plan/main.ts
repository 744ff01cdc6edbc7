import { Injectable, Module } from '@nestjs/common';
import {
  Tool,
  type ToolContext,
  type ToolDefinition,
  ToolSearchModule,
  ToolSearchService,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { z } from 'zod';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { userOf } from '../users.js';

const Invoice = z.object({ invoiceId: z.string() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Show an invoice.', input: Invoice, sideEffects: 'read' })
  show({ invoiceId }: z.infer<typeof Invoice>, { tenantId }: ToolContext) {
    return `${invoiceId} of ${tenantId}: 5 euros`;
  }

  @Tool({ description: 'Refund an invoice.', input: Invoice, tags: ['money'], sideEffects: 'write' })
  refund({ invoiceId }: z.infer<typeof Invoice>, { tenantId }: ToolContext) {
    return `${tenantId} gave ${invoiceId} back`;
  }

  @Tool({ description: 'Delete an invoice for ever.', input: Invoice, sideEffects: 'write' })
  delete({ invoiceId }: z.infer<typeof Invoice>) {
    return `${invoiceId} is gone`;
  }
}

/** Depends on the caller: hides tools that move money from users of the free plan. */
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter((tool) => !tool.tags.includes('money') || roles.includes('pro'));
  }

  /** Callers with equal keys share one answer. */
  cacheKey({ roles = [] }: ToolContext) {
    return roles.includes('pro') ? 'pro' : 'free';
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: userOf,
      policy: { deny: ['*.delete'] }, // holds for everybody
      defaultLoading: 'deferred', // what is always in a model's list is not searched
    }),
  ],
  providers: [BillingTools, PlanPolicy],
  controllers: [AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const [pro, free] = [as('ada-token'), as('bob-token')];
  const input = { invoiceId: 'inv_1' };

  say(`pro finds ${await pro.search('invoice')}`);
  say(`free finds ${await free.search('invoice')}`);
  say(`pro calls billing.refund: ${await pro.call('billing.refund', input)}`);
  say(`free calls billing.refund: ${await free.call('billing.refund', input)}`);
  say(`pro calls billing.delete: ${await pro.call('billing.delete', input)}`);

  // Not told apart from a tool that does not exist; only operators and code learn why.
  const bob = app.get(ToolSearchService).open({ tenantId: 'acme', userId: 'bob', roles: [] });
  const { layers } = await bob.explain('billing.refund');
  say(`why not: ${layers.find(({ verdict }) => verdict === 'deny')?.layer}`);
  await app.close();
}
