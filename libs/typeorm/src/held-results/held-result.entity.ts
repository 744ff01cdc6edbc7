import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** A result that was too large for a model. Its bytes are in its parts. */
@Entity('tool_search_held_results')
@Index('ix_tool_search_held_results_of_tenant', ['tenantId', 'heldAt'])
export class HeldResultEntity {
  @PrimaryColumn('text') readonly handle: string;
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  /** `''` if the context names no user. */
  @Column('text', { name: 'user_id' }) readonly userId: string;
  /** The agent and those above it, as JSON; `''` for none. */
  @Column('text') readonly agent: string;
  /** Canonical name of the tool that returned it. */
  @Column('text') readonly tool: string;
  /** Size in bytes. */
  @Column('integer') readonly length: number;
  /** Set last: only complete results are read. */
  @Column('boolean') readonly complete: boolean;
  /** By the clock of the database, and later than every earlier result of the tenant. */
  @Column('bigint', { name: 'held_at', transformer: epochMillis }) readonly heldAt: number;

  @Index('ix_tool_search_held_results_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: epochMillis })
  readonly expiresAt: number;
}
