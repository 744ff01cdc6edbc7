import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** The encrypted credential of one user for one source. */
@Entity('tool_search_user_credentials')
export class UserCredentialEntity {
  /** Hash of tenant, user, owner and source, which together would be too long for an index. */
  @PrimaryColumn('text') readonly id: string;
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  @Column('text', { name: 'user_id' }) readonly userId: string;
  /** The tenant that owns the source; `''` for a shared one. */
  @Column('text') readonly owner: string;
  @Column('text') readonly source: string;
  @Column('text') readonly sealed: string;
  /** Changes with every write. */
  @Column('text') readonly version: string;
  @Column('bigint', { name: 'expires_at', transformer: epochMillis }) readonly expiresAt: number;
  @Column('bigint', { name: 'connected_at', transformer: epochMillis }) readonly connectedAt: number;
  @Column('bigint', { name: 'changed_at', transformer: epochMillis }) readonly changedAt: number;
  /** By the clock of the database; 0 = not leased. */
  @Column('bigint', { name: 'leased_until', transformer: epochMillis }) readonly leasedUntil: number;
}
