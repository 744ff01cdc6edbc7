import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removes the shares of canaries and their accepted definitions: no tool has a canary any more. The audit trail keeps its
 * entries, because each hash covers the entry before.
 */
export class RemoveCanaries implements MigrationInterface {
  readonly name = 'RemoveCanaries1765065600000';

  async up(runner: QueryRunner): Promise<void> {
    const remove = (table: string, where: string) =>
      runner.manager.createQueryBuilder().delete().from(table).where(where).execute();
    await remove('tool_search_control_records', "kind = 'canary'");
    // The name is JSON text with its quotes. No tool could have this name.
    await remove('tool_search_definitions', `tool LIKE '%#canary"'`);
  }

  async down(): Promise<void> {}
}
