import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json } from '../database/transformers.js';

/** The state of a limit's counter for one key. */
@Entity('tool_search_limit_counters')
@Index('ix_tool_search_limit_counters_expires_at', ['expiresAt'])
export class LimitCounterEntity {
  /** Hash of the key, which is too long for an index. */
  @PrimaryColumn('text') readonly key: string;

  @Column('text', { transformer: json })
  readonly state: readonly (string | number)[];

  /** Epoch milliseconds by the database's clock, from which it no longer counts. */
  @Column('bigint', { name: 'expires_at', transformer: epochMillis }) readonly expiresAt: number;
}
