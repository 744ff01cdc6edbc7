import type { AuditEntry, AuditFilter, Page } from '@tool-search/core/stores';
import { Between, type FindOptionsWhere, LessThan, MoreThan, MoreThanOrEqual, Raw, Repository } from 'typeorm';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/**
 * The repository of the audit trail: the methods of TypeORM, and the reads of the control store. Injectable where
 * `ToolSearchTypeOrmModule` is imported. Only read: each entry contains the hash of the one before it.
 */
export class AuditEntryRepository extends Repository<AuditEntryEntity> {
  /** Returns a page of the matching entries in the order of their sequence numbers. */
  async listMatching(
    filter: AuditFilter,
    { after, limit }: Page<number>,
    order: 'ASC' | 'DESC',
  ): Promise<readonly AuditEntry[]> {
    const query = this.createQueryBuilder('entry').where(conditionsOf(filter));
    if (after !== undefined) query.andWhere({ seq: order === 'ASC' ? MoreThan(after) : LessThan(after) });
    return query.orderBy('entry.seq', order).limit(limit).getMany();
  }
}

function conditionsOf({ tenantId, actor, action, since = 0, until }: AuditFilter): FindOptionsWhere<AuditEntryEntity> {
  // Not LIKE: it ignores case on SQLite and treats % and _ as wildcards.
  const startsWith = (noun: string) =>
    Raw((column) => `substr(${column}, 1, length(CAST(:noun AS text))) = :noun`, { noun });
  return {
    ...(tenantId !== undefined && { tenantId }),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action: action.endsWith('.') ? startsWith(action) : action }),
    at: until === undefined ? MoreThanOrEqual(since) : Between(since, until - 1),
  };
}
