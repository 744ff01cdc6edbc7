import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { redactedText, safeText } from '@tool-search/core/internal';
import { type DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import { codeOf } from './error-code.js';

const MAX_WORDS = 200;
/** Codes with which Node.js, PostgreSQL and SQLite report what no migration causes: of connections, servers and files. */
const OF_DATABASE =
  /^(?:E[A-Z]+|(?:08|40|53|57|58|XX)...|25006|25P03|55P03|SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM).*)$/;

/**
 * Runs all pending migrations in the open transaction of a runner.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a migration that fails, with its name, and on SQLite for one that
 *   leaves rows without the rows that they refer to; otherwise the error of the database
 */
export async function runMigrations(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const isPostgres = dataSource.options.type === 'postgres';
  const executor = new MigrationExecutor(dataSource, runner);
  const attempt = async <T>(work: () => Promise<T>, name?: string): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      // TypeORM releases the runner of a lost connection.
      throw runner.isReleased || isOfDatabase(cause, isPostgres) ? cause : failed(cause, name);
    }
  };
  // Only on SQLite are foreign keys off during migrations.
  const dangling = async () => (isPostgres ? [] : await danglingRows(runner));
  const [pending, before] = await attempt(async () => [await executor.getPendingMigrations(), await dangling()]);
  let known = before.length;
  for (const migration of pending) {
    await attempt(async () => {
      if (migration.instance?.transaction !== undefined) {
        throw new Error('it sets `transaction`, but all migrations run in one transaction');
      }
      await executor.executeMigration(migration);
      const left = await dangling();
      const last = left.at(-1);
      if (last && left.length > known) {
        throw new Error(`rows of ${last.table} refer to rows of ${last.parent} that do not exist`);
      }
      known = left.length;
    }, migration.name);
  }
}

interface DanglingRow {
  readonly table: string;
  /** The table without the row that is referred to. */
  readonly parent: string;
}

async function danglingRows(runner: QueryRunner): Promise<readonly DanglingRow[]> {
  return (await runner.query('PRAGMA foreign_key_check')) as readonly DanglingRow[];
}

/** Whether the database failed, for example because the connection was lost, and not what was asked of it. */
function isOfDatabase(error: unknown, isPostgres: boolean): boolean {
  if (isToolSearchError(error)) return error.code === 'STORE_UNAVAILABLE';
  if (!(error instanceof QueryFailedError)) return false;
  const code = codeOf(error);
  // `pg` gives no code to the errors of a connection that has ended or does not answer.
  return code === undefined ? isPostgres : OF_DATABASE.test(code);
}

function failed(cause: unknown, name: string | undefined): ToolSearchError {
  const words = cause instanceof Error ? cause.message : String(cause);
  const line = safeText(redactedText(words).replaceAll(/\s+/g, ' ').trim(), MAX_WORDS);
  const [place, code] = [name === undefined ? '' : `${name}: `, codeOf(cause)];
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `A migration failed: ${place}${line}${code === undefined ? '' : ` (${code})`}.`,
    {
      hint: 'Nothing was migrated. Correct the migration, or give the user of the database the rights that it needs.',
      cause,
    },
  );
}
