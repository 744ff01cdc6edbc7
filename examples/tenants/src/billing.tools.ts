import { Injectable } from '@nestjs/common';
import {
  Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { z } from 'zod';

const Invoice = z.object({ invoiceId: z.string() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Show an invoice.', input: Invoice, loading: 'deferred' })
  show({ invoiceId }: z.infer<typeof Invoice>, { tenantId }: ToolContext) {
    return { tenantId, invoiceId, amount: 5 };
  }

  @Tool({
    description: 'Refund an invoice.',
    input: Invoice,
    tags: ['money'],
    sideEffects: 'write',
    loading: 'deferred',
  })
  refund({ invoiceId }: z.infer<typeof Invoice>, { tenantId }: ToolContext) {
    return `${tenantId} gave ${invoiceId} back`;
  }
}

/** Hides tools that move money from users of the free plan. */
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter((tool) => !tool.tags.includes('money') || roles.includes('pro'));
  }

  cacheKey({ roles = [] }: ToolContext) {
    return roles.includes('pro') ? 'pro' : 'free';
  }
}
