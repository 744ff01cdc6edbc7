import { Injectable, Module } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { Tool, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { z } from 'zod';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { SignedIn, userOf } from '../users.js';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', input: Refund, sideEffects: 'write' })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: userOf,
      policy: {
        // Or `approval: ['billing.refund']`, whatever the arguments.
        arguments: [
          {
            id: 'large-refund',
            tools: ['billing.refund'],
            when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 100 } } },
            then: 'approve',
            reason: 'somebody looks at refunds over 100',
          },
        ],
      },
    }),
    // Where the second person decides. `ToolApprovals` is the same as a service, for a page of your own.
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }),
  ],
  providers: [BillingTools],
  controllers: [AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const [ada, olga] = [as('ada-token'), as('olga-token')];
  const refund = (amount: number) => ada.call('billing.refund', { invoiceId: 'inv_1', amount });

  say(`a small refund: ${await refund(20)}`);
  say(`a large one: ${await refund(500)}`);
  say(`repeated too early: ${await refund(500)}`);

  const { body } = await olga.get('admin/tools/approvals?tenantId=acme&status=pending');
  const [{ id, tool, userId, arguments: given }] = body.items;
  say(`olga sees: ${userId} wants ${tool} with ${given.replaceAll('\n', ', ')}`);
  await olga.post(`admin/tools/approvals/${id}/approve`, { reason: 'the heating failed' });

  say(`other arguments: ${await refund(501)}`);
  say(`exactly this call: ${await refund(500)}`);
  say(`once more: ${await refund(500)}`);
  await app.close();
}
