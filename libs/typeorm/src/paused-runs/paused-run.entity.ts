import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** What is kept of a run that pauses. */
@Entity('tool_search_paused_runs')
@Index('ix_tool_search_paused_runs_of_tenant', ['tenantId', 'pausedAt'])
export class PausedRunEntity {
  @PrimaryColumn('text', { name: 'tenant_id' })
  readonly tenantId: string;

  /** `''` for none. */
  @PrimaryColumn('text', { name: 'user_id' })
  readonly userId: string;

  @PrimaryColumn('text', { name: 'run_id' })
  readonly runId: string;

  /** `''` for none. */
  @Column('text', { name: 'session_id' })
  readonly sessionId: string;

  @Index('ix_tool_search_paused_runs_paused_at')
  @Column('bigint', { name: 'paused_at', transformer: epochMillis })
  readonly pausedAt: number;

  @Column('text', { name: 'catalog_digest' })
  readonly catalogDigest: string;

  @Column('bigint', { name: 'control_revision', transformer: epochMillis })
  readonly controlRevision: number;

  /** Names, hashes and states in the order of the list, as JSON: read and written as one. */
  @Column('text')
  readonly tools: string;
}
