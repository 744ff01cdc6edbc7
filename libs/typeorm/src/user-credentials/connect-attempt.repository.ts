import { type ConnectAttempt, credentialId } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import type { ConnectAttemptEntity } from './connect-attempt.entity.js';

/** Statements on the connections that users have begun. They end by the clock of the database. */
export class ConnectAttemptRepository extends Repository<ConnectAttemptEntity> {
  readonly #sql = new Sql(this.manager);

  /** Begins an attempt, in place of an earlier one of the same user and source. */
  async begin(attempt: ConnectAttempt, forMs: number): Promise<void> {
    const { tenantId, userId, owner, source, id, sealed } = attempt;
    await this.createQueryBuilder()
      .insert()
      .values({
        credentialId: credentialId(attempt),
        tenantId,
        userId,
        owner,
        source,
        id,
        sealed,
        expiresAt: () => `${this.#sql.now} + ${Math.round(forMs)}`,
      })
      .orUpdate(['id', 'sealed', 'expires_at'], ['credential_id'])
      .execute();
  }

  /** Removes an attempt and returns it; undefined if there is none, if it has expired, or if another reader has it. */
  async take(id: string): Promise<ConnectAttempt | undefined> {
    const found = await this.createQueryBuilder('attempt')
      .where({ id })
      .andWhere(`attempt.expiresAt > ${this.#sql.now}`)
      .getOne();
    // Of two readers, the one that removes it has it.
    const { affected } = await this.delete({ id });
    if (!found || affected !== 1) return undefined;
    const { tenantId, userId, owner, source, sealed } = found;
    return { tenantId, userId, owner, source, id, sealed };
  }

  /** Removes up to `batch` expired attempts, the oldest first. Returns their number. */
  async sweep(batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'expires_at', (await this.#sql.clock()) + 1, batch);
  }
}
