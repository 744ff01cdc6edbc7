import type { PausedTool } from '@tool-search/core/internal';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json } from '../database/transformers.js';

/** The stored state of a paused run. */
@Entity('tool_search_paused_runs')
@Index('ix_tool_search_paused_runs_of_tenant', ['tenantId', 'pausedAt'])
export class PausedRunEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  /** `''` if the context names no user. */
  @PrimaryColumn('text', { name: 'user_id' }) readonly userId: string;
  @PrimaryColumn('text', { name: 'run_id' }) readonly runId: string;
  /** `''` if the context names no session. */
  @Column('text', { name: 'session_id' }) readonly sessionId: string;

  @Index('ix_tool_search_paused_runs_paused_at')
  @Column('bigint', { name: 'paused_at', transformer: epochMillis })
  readonly pausedAt: number;

  @Column('text', { name: 'catalog_digest' }) readonly catalogDigest: string;
  @Column('bigint', { name: 'control_revision', transformer: epochMillis }) readonly controlRevision: number;
  /** Names, hashes and states in list order. */
  @Column('text', { transformer: json }) readonly tools: readonly PausedTool[];
}
