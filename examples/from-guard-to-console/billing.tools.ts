// #region tools
import { Injectable } from '@nestjs/common';
import { Tool, type ToolContext } from '@tool-search/core';
import { z } from 'zod';

const Invoice = z.object({ invoiceId: z.string() });
const Refund = Invoice.extend({ amount: z.number().positive() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Show an invoice.', input: Invoice, sideEffects: 'read', loading: 'deferred' })
  show({ invoiceId }: z.infer<typeof Invoice>, { tenantId }: ToolContext) {
    return `${invoiceId} of ${tenantId}: 500 euros`;
  }

  @Tool({
    description: 'Refund an invoice, fully or in part.',
    exampleQueries: ['give a customer their money back'], // searched, never shown to a model
    input: Refund,
    tags: ['money'],
    sideEffects: 'write',
    loading: 'deferred',
  })
  refund({ invoiceId, amount }: z.infer<typeof Refund>, { tenantId, userId }: ToolContext) {
    return `${userId} of ${tenantId} gave back ${amount} euros of ${invoiceId}`;
  }
}
// #endregion tools
