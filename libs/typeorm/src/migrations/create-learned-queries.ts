import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const QUERIES = 'tool_search_learned_queries';

/** Creates learned queries, the same on SQLite and PostgreSQL. */
export class CreateLearnedQueries implements MigrationInterface {
  readonly name = 'CreateLearnedQueries1763942400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: QUERIES,
        columns: [
          ...['tenant_id', 'tool', 'query'].map((name) => ({ name, type: 'text', isPrimary: true })),
          { name: 'uses', type: 'integer' },
          { name: 'last_used_at', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(QUERIES);
  }
}
