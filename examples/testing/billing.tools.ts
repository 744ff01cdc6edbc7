import { Injectable } from '@nestjs/common';
import {
  Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { z } from 'zod';

const Refund = z.object({ invoiceId: z.string(), amount: z.number().positive() });

/** The tools under test. */
@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', input: Refund, exampleQueries: ['give me my money back'] })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }

  @Tool({ description: 'List the invoices of a customer.', sideEffects: 'read' })
  list() {
    return ['inv_1'];
  }
}

@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter(({ name }) => name !== 'billing.refund' || roles.includes('pro'));
  }
}
