import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions, type TableOptions } from 'typeorm';

/** Creates tables in their order, and drops them in the reverse order. */
export abstract class TableMigration implements MigrationInterface {
  abstract readonly name: string;

  protected abstract tables(isPostgres: boolean): readonly TableOptions[];

  async up(runner: QueryRunner): Promise<void> {
    for (const table of this.#tablesOf(runner)) await runner.createTable(new Table(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of this.#tablesOf(runner).toReversed()) await runner.dropTable(name);
  }

  #tablesOf(runner: QueryRunner): readonly TableOptions[] {
    return this.tables(runner.connection.options.type === 'postgres');
  }
}

export function columns(type: string, ...names: readonly string[]): TableColumnOptions[] {
  return names.map((name) => ({ name, type }));
}

export function keys(...names: readonly string[]): TableColumnOptions[] {
  return columns('text', ...names).map((column) => ({ ...column, isPrimary: true }));
}
