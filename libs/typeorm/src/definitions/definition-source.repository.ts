import type { SourceKey } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { type BigInteger, Sql } from '../database/sql.js';
import type { DefinitionSourceEntity } from './definition-source.entity.js';
import { sourceId } from './definition-id.js';

/** Allows a thousand changes per millisecond before the clock could reach an earlier revision. */
const REVISIONS_PER_MS = 1_000;

/**
 * The repository of registered sources: the methods of TypeORM, and the statements of the definition store. Injectable
 * where `ToolSearchTypeOrmModule` is imported.
 *
 * The row of a source is the lock for its definitions: the store first calls `register` or `claim` in its transaction.
 * These and `forget` belong to the store. To accept a changed definition, use `ToolQuarantine`.
 */
export class DefinitionSourceRepository extends Repository<DefinitionSourceEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the revision of a source; undefined if it is not registered. */
  async revisionOf(key: SourceKey): Promise<number | undefined> {
    const { records } = await this.#sql.run<{ revision: BigInteger }>(
      this.#text('revisionOf', (table) => `SELECT revision FROM ${table} WHERE id = ?`),
      [sourceId(key)],
    );
    return records[0] && Number(records[0].revision);
  }

  /** Registers a source. Returns whether it is new: false also if it is just being created by another instance. */
  async register(key: SourceKey): Promise<boolean> {
    const { records } = await this.#sql.run(
      this.#text(
        'register',
        (table) =>
          `INSERT INTO ${table} (id, owner, source, revision) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
      ),
      firstRow(key),
    );
    return records.length > 0;
  }

  /** Registers a source or raises its revision. Locks it until the transaction ends. */
  async claim(key: SourceKey): Promise<void> {
    await this.#sql.run(
      this.#text(
        'claim',
        (table) =>
          `INSERT INTO ${table} AS known (id, owner, source, revision) VALUES (?, ?, ?, ?) ` +
          'ON CONFLICT (id) DO UPDATE SET revision = known.revision + 1',
      ),
      firstRow(key),
    );
  }

  /** Removes a source, and by cascade its definitions. */
  async forget(key: SourceKey): Promise<void> {
    await this.delete({ id: sourceId(key) });
  }

  #text(name: string, build: (table: string) => string): string {
    return this.#sql.text(this.target, name, build);
  }
}

function firstRow(key: SourceKey): readonly (string | number)[] {
  const revision = Date.now() * REVISIONS_PER_MS;
  return [sourceId(key), JSON.stringify(key.owner), JSON.stringify(key.source), revision];
}
