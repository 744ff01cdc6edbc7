import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/**
 * The single row with the current revision and the newest audit entry. Each change of records or audit trail locks it
 * first.
 */
@Entity('tool_search_control_head')
export class ControlHeadEntity {
  /** Always 1. */
  @PrimaryColumn('integer') readonly id: number;
  @Column('bigint', { transformer: epochMillis }) readonly revision: number;
  /** Sequence number of the newest audit entry; 0 = the trail is empty. */
  @Column('bigint', { transformer: epochMillis }) readonly seq: number;
  /** Hash of the newest audit entry; `''` = the trail is empty. */
  @Column('text') readonly hash: string;
}
