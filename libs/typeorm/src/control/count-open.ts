import type { EntityManager } from 'typeorm';
import type { BigInteger } from '../database/sql.js';
import { ControlRecordEntity } from './control-record.entity.js';

/** Whose undecided records are counted. */
export type Asker = Required<Pick<ControlRecordEntity, 'kind' | 'tenantId' | 'askedBy'>>;

/** Numbers of undecided records: of the tenant, and of one user. */
export interface OpenCounts {
  readonly open: number;
  readonly own: number;
}

/** Counts undecided records in their index, without reading one: a tenant may have thousands. */
export async function countOpen(manager: EntityManager, asker: Asker): Promise<OpenCounts> {
  const counts = await openCounts(manager, asker).getRawOne<{ open: BigInteger; own: BigInteger }>();
  return { open: Number(counts?.open), own: Number(counts?.own) };
}

/** The query of {@link countOpen}. The index is partial, so the revision is part of the text and no parameter. */
export function openCounts(manager: EntityManager, asker: Asker) {
  return manager
    .createQueryBuilder(ControlRecordEntity, 'record')
    .select('count(*)', 'open')
    .addSelect('count(CASE WHEN record.askedBy = :askedBy THEN 1 END)', 'own')
    .where('record.kind = :kind AND record.tenantId = :tenantId AND record.revision = 0', asker);
}
