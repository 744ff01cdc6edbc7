import { Column, Entity, PrimaryColumn } from 'typeorm';

export type InvoiceStatus = 'open' | 'paid' | 'refunded';

/** An invoice of one tenant. Amounts are in cents, so that sums stay exact. */
@Entity('demo_invoices')
export class InvoiceEntity {
  @PrimaryColumn('varchar', { length: 64 }) tenantId: string;
  @PrimaryColumn('varchar', { length: 64 }) id: string;
  @Column('varchar', { length: 200 }) customer: string;
  @Column('integer') amountCents: number;
  @Column('integer') refundedCents: number;
  @Column('varchar', { length: 16 }) status: InvoiceStatus;
  @Column('varchar', { length: 500 }) description: string;
}
