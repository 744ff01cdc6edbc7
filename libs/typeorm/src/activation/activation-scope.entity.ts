import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/**
 * One run or session of a principal that has activated tools, and its time of last use. Its row is the lock for its
 * activations.
 */
@Entity('tool_search_activation_scopes')
export class ActivationScopeEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  /** `''` if the context names no user. */
  @PrimaryColumn('text', { name: 'user_id' }) readonly userId: string;
  @PrimaryColumn('text') readonly scope: 'run' | 'session';
  @PrimaryColumn('text', { name: 'scope_id' }) readonly scopeId: string;

  @Index('ix_tool_search_activation_scopes_used_at')
  @Column('bigint', { name: 'used_at', transformer: epochMillis })
  readonly usedAt: number;
}
