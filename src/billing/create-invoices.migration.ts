import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const SEED = [
  ['acme', 'inv_1001', 'Ada Lovelace', 12_000, 'paid', 'Analytical engine, yearly plan'],
  ['acme', 'inv_1002', 'Grace Hopper', 4_500, 'open', 'Compiler support, March'],
  ['acme', 'inv_1003', 'Alan Turing', 9_900, 'paid', 'Machine time, 33 hours'],
  ['globex', 'inv_1001', 'Hank Scorpio', 250_000, 'paid', 'Volcano lease'],
  ['globex', 'inv_1002', 'Homer Simpson', 1_200, 'open', 'Sugar, one bag'],
] as const;

/** Creates the demo's invoices. Two tenants use the same invoice numbers on purpose. */
export class CreateInvoices1760000000000 implements MigrationInterface {
  readonly name = 'CreateInvoices1760000000000';

  async up(runner: QueryRunner): Promise<void> {
    const text = (name: string, length: string) => ({ name, type: 'varchar', length });
    await runner.createTable(
      new Table({
        name: 'demo_invoices',
        columns: [
          { ...text('tenantId', '64'), isPrimary: true },
          { ...text('id', '64'), isPrimary: true },
          text('customer', '200'),
          { name: 'amountCents', type: 'integer' },
          { name: 'refundedCents', type: 'integer' },
          text('status', '16'),
          text('description', '500'),
        ],
      }),
    );
    const rows = SEED.map(([tenantId, id, customer, amountCents, status, description]) => ({
      tenantId,
      id,
      customer,
      amountCents,
      refundedCents: 0,
      status,
      description,
    }));
    await runner.manager
      .createQueryBuilder()
      .insert()
      .into('demo_invoices', Object.keys(rows[0] ?? {}))
      .values(rows)
      .execute();
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('demo_invoices');
  }
}
