import { Injectable } from '@nestjs/common';
import { Tool, type ToolContext } from '@tool-search/core';
import { z } from 'zod';
import { InvoiceService } from './invoice.service.js';

const InvoiceId = z
  .string()
  .regex(/^inv_\w{1,32}$/)
  .describe('Id of the invoice, for example inv_1001.');
const Euros = z.number().positive().max(1_000_000);

const ListInvoices = z.object({
  status: z.enum(['open', 'paid', 'refunded']).optional().describe('Only invoices with this status.'),
});
const GetInvoice = z.object({ invoiceId: InvoiceId });
const CreateInvoice = z.object({
  customer: z.string().min(1).max(200).describe('Name of the customer.'),
  amount: Euros.describe('Amount in euros.'),
  description: z.string().max(500).optional().describe('What the customer pays for.'),
});
const RefundInvoice = z.object({
  invoiceId: InvoiceId,
  amount: Euros.describe('Amount to refund, in euros.'),
  reason: z.string().min(1).max(500).optional().describe('Why the money goes back.'),
});

@Injectable()
export class BillingTools {
  constructor(private readonly invoices: InvoiceService) {}

  @Tool({
    description: 'List the invoices of your company, newest numbers last.',
    input: ListInvoices,
    tags: ['billing'],
    sideEffects: 'read',
    exampleQueries: ['who still owes us money', 'which bills have been settled', 'what did we charge our clients'],
  })
  async listInvoices({ status }: z.infer<typeof ListInvoices>, { tenantId }: ToolContext) {
    return { invoices: await this.invoices.list(tenantId, status) };
  }

  @Tool({
    description: 'Read one invoice.',
    input: GetInvoice,
    tags: ['billing'],
    sideEffects: 'read',
    exampleQueries: ['has this bill been paid', 'what does it come to'],
    loading: 'deferred',
  })
  getInvoice({ invoiceId }: z.infer<typeof GetInvoice>, { tenantId }: ToolContext) {
    return this.invoices.get(tenantId, invoiceId);
  }

  @Tool({
    description: 'Create an open invoice for a customer.',
    input: CreateInvoice,
    tags: ['billing', 'money'],
    sideEffects: 'write',
    exampleQueries: ['bill a client for our work', 'charge somebody for consulting'],
    loading: 'deferred',
  })
  createInvoice(input: z.infer<typeof CreateInvoice>, { tenantId }: ToolContext) {
    return this.invoices.create(tenantId, input);
  }

  @Tool({
    description: 'Refund a paid invoice, fully or in part.',
    input: RefundInvoice,
    tags: ['billing', 'money'],
    sideEffects: 'write',
    exampleQueries: ['give a customer their money back', 'somebody was charged twice', 'reimburse an overpaid bill'],
    loading: 'deferred',
    examples: [{ args: { invoiceId: 'inv_1001', amount: 25, reason: 'charged twice' }, tags: ['common'] }],
  })
  refundInvoice({ invoiceId, amount }: z.infer<typeof RefundInvoice>, { tenantId }: ToolContext) {
    return this.invoices.refund(tenantId, invoiceId, amount);
  }
}
