import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** An application process that shares the store. */
@Entity('tool_search_instances')
export class ControlInstanceEntity {
  @PrimaryColumn('text') readonly id: string;
  @Column('bigint', { name: 'applied_revision', transformer: epochMillis }) readonly appliedRevision: number;
  /** In milliseconds, by the database's clock. */
  @Column('bigint', { name: 'seen_at', transformer: epochMillis }) readonly seenAt: number;
}
