import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ToolSearchError } from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { InvoiceEntity, type InvoiceStatus } from './invoice.entity.js';

/** An invoice with amounts in euros. */
export interface Invoice {
  readonly id: string;
  readonly customer: string;
  readonly amount: number;
  readonly refunded: number;
  readonly status: InvoiceStatus;
  readonly description: string;
}

/** The billing domain of the demo. Every method works on one tenant's invoices only. */
@Injectable()
export class InvoiceService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list(tenantId: string, status?: InvoiceStatus): Promise<Invoice[]> {
    const found = await this.dataSource.getRepository(InvoiceEntity).find({
      where: { tenantId, ...(status !== undefined && { status }) },
      order: { id: 'ASC' },
      take: 100,
    });
    return found.map(invoiceOf);
  }

  async get(tenantId: string, id: string): Promise<Invoice> {
    const found = await this.dataSource.getRepository(InvoiceEntity).findOneBy({ tenantId, id });
    if (!found) throw unknownInvoice(id);
    return invoiceOf(found);
  }

  async create(tenantId: string, draft: { customer: string; amount: number; description?: string }): Promise<Invoice> {
    const invoice: InvoiceEntity = {
      tenantId,
      id: `inv_${randomUUID().slice(0, 8)}`,
      customer: draft.customer,
      amountCents: Math.round(draft.amount * 100),
      refundedCents: 0,
      status: 'open',
      description: draft.description ?? '',
    };
    await this.dataSource.getRepository(InvoiceEntity).insert(invoice);
    return invoiceOf(invoice);
  }

  /** Refunds all or part of a paid invoice. The total never exceeds the paid amount, even with concurrent calls. */
  async refund(tenantId: string, id: string, amount: number): Promise<Invoice> {
    const cents = Math.round(amount * 100);
    const lock = this.dataSource.options.type === 'postgres' ? { lock: { mode: 'pessimistic_write' as const } } : {};
    const refunded = await this.dataSource.transaction(async (manager) => {
      const found = await manager.findOne(InvoiceEntity, { where: { tenantId, id }, ...lock });
      if (!found) throw unknownInvoice(id);
      if (found.status === 'open') throw refused(`Invoice ${id} has not been paid, so there is nothing to refund.`);
      const left = found.amountCents - found.refundedCents;
      if (cents > left) throw refused(`Only ${left / 100} euros of invoice ${id} are left to refund.`);
      found.refundedCents += cents;
      if (found.refundedCents === found.amountCents) found.status = 'refunded';
      return manager.save(found);
    });
    return invoiceOf(refunded);
  }
}

function invoiceOf({ id, customer, amountCents, refundedCents, status, description }: InvoiceEntity): Invoice {
  return { id, customer, amount: amountCents / 100, refunded: refundedCents / 100, status, description };
}

function unknownInvoice(id: string): ToolSearchError {
  return new ToolSearchError('TOOL_FAILED', `There is no invoice ${id}.`, {
    hint: 'List the invoices to find its id.',
  });
}

function refused(message: string): ToolSearchError {
  return new ToolSearchError('TOOL_FAILED', message);
}
