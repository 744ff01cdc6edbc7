import type { ResultHolder } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { Sql } from '../database/sql.js';
import type { HeldResultEntity } from './held-result.entity.js';

/** A result before its bytes are written. */
export type NewHeldResult = Omit<HeldResultEntity, 'complete' | 'heldAt' | 'expiresAt'>;

/**
 * The repository of results that were too large for a model: the methods of TypeORM, and the statements of their store,
 * by the clock of the database. Their bytes are in parts, which the store reads. Injectable where
 * `ToolSearchTypeOrmModule` is imported.
 *
 * `begin` and `setComplete` belong to the store, which writes the parts and keeps the limits. To read a result, inject
 * the port `HeldResultStore`.
 */
export class HeldResultRepository extends Repository<HeldResultEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns a complete result that has not expired, to its holder alone. */
  findLive(handle: string, holder: ResultHolder): Promise<HeldResultEntity | null> {
    return this.createQueryBuilder('result')
      .where({ handle, ...ownerOf(holder), complete: true })
      .andWhere(`result.expiresAt > ${this.#sql.now}`)
      .getOne();
  }

  /** Returns the handles of up to `limit` expired results, the oldest first. */
  async listExpired(limit: number): Promise<readonly string[]> {
    const expired = await this.createQueryBuilder('result')
      .select('result.handle')
      .where(`result.expiresAt <= ${this.#sql.now}`)
      .orderBy('result.expiresAt')
      .limit(limit)
      .getMany();
    return expired.map(({ handle }) => handle);
  }

  /** Returns the handles of up to `limit` results of a holder beyond the newest `keep`. */
  async listBeyond(holder: ResultHolder, keep: number, limit: number): Promise<readonly string[]> {
    const beyond = await this.find({
      select: { handle: true },
      where: ownerOf(holder),
      order: { heldAt: 'DESC' },
      skip: keep,
      take: limit,
    });
    return beyond.map(({ handle }) => handle);
  }

  /** Returns the oldest result of a tenant, complete or not. */
  findOldest(tenantId: string): Promise<HeldResultEntity | null> {
    return this.findOne({ where: { tenantId }, order: { heldAt: 'ASC' } });
  }

  /** Inserts an incomplete result. Results of a tenant have different times, so that the oldest one is known. */
  async begin(result: NewHeldResult, forMs: number): Promise<void> {
    const newest = this.createQueryBuilder('other').select('MAX(other.heldAt)').where('other.tenantId = :tenantId');
    const [later, now] = [`(${newest.getQuery()}) + 1`, this.#sql.now];
    await this.createQueryBuilder()
      .insert()
      .values({
        ...result,
        complete: false,
        heldAt: () => `CASE WHEN ${later} > ${now} THEN ${later} ELSE ${now} END`,
        expiresAt: () => `${now} + ${Math.round(forMs)}`,
      })
      .setParameters({ tenantId: result.tenantId })
      .execute();
  }

  /** Sets whether readers find a result. */
  async setComplete(handle: string, complete: boolean): Promise<void> {
    await this.update({ handle }, { complete });
  }
}

/** A holder without the other members of its record. */
export function ownerOf({ tenantId, userId, agent }: ResultHolder): ResultHolder {
  return { tenantId, userId, agent };
}
