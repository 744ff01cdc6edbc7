import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** A connection that a user has begun and not finished. */
@Entity('tool_search_connect_attempts')
export class ConnectAttemptEntity {
  /** Hash of tenant, user, owner and source: one attempt for each. */
  @PrimaryColumn('text', { name: 'credential_id' }) readonly credentialId: string;
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  @Column('text', { name: 'user_id' }) readonly userId: string;
  @Column('text') readonly owner: string;
  @Column('text') readonly source: string;
  /** Random; named by the redirect. */
  @Index('ux_tool_search_connect_attempts_id', { unique: true })
  @Column('text')
  readonly id: string;

  @Column('text') readonly sealed: string;
  /** By the clock of the database. */
  @Index('ix_tool_search_connect_attempts_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: epochMillis })
  readonly expiresAt: number;
}
