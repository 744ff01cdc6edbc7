import type { CallRecord } from '@tool-search/core/stores';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json, wholeOrNull } from '../database/transformers.js';

/**
 * One thing that a model did or was shown, with the decision about it. Ids have the order of time, so each index ends
 * with the id: a page is one range of an index. PostgreSQL has more indexes than SQLite, see the migration.
 */
@Entity('tool_search_calls')
@Index('ix_tool_search_calls_tenant', ['tenantId', 'id'])
@Index('ix_tool_search_calls_run', ['runId', 'id'])
@Index('ix_tool_search_calls_tool', ['tool', 'id'])
@Index('ix_tool_search_calls_refused', { synchronize: false })
@Index('ix_tool_search_calls_failed', { synchronize: false })
@Index('ix_tool_search_calls_user', { synchronize: false })
@Index('ix_tool_search_calls_session', { synchronize: false })
@Index('ix_tool_search_calls_tenant_tool', { synchronize: false })
@Index('ix_tool_search_calls_tenant_failed', { synchronize: false })
@Index('ix_tool_search_calls_kind', { synchronize: false })
export class CallEntity {
  @PrimaryColumn('text') readonly id: string;
  /** Epoch milliseconds. */
  @Column('bigint', { transformer: epochMillis }) readonly at: number;
  @Column('text') readonly kind: CallRecord['kind'];
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  @Column('text', { name: 'user_id' }) readonly userId: string;
  @Column('text', { name: 'session_id' }) readonly sessionId: string;
  @Column('text', { name: 'run_id' }) readonly runId: string;
  @Column('text', { name: 'agent_ids', transformer: json }) readonly agentIds: readonly string[];
  @Column('integer') readonly step: number;
  @Column('text', { name: 'call_id' }) readonly callId: string;
  @Column('text') readonly tool: string;
  @Column('text', { name: 'definition_hash' }) readonly definitionHash: string;
  @Column('text') readonly decision: CallRecord['decision'];
  @Column('text') readonly layer: CallRecord['layer'];
  @Column('text') readonly rule: string;
  @Column('text') readonly reason: string;
  @Column('text') readonly outcome: CallRecord['outcome'];
  @Column('bigint', { name: 'control_revision', transformer: epochMillis }) readonly controlRevision: number;
  @Column('bigint', { name: 'catalog_revision', transformer: epochMillis }) readonly catalogRevision: number;
  @Column('text', { name: 'policy_hash' }) readonly policyHash: string;
  @Column('integer') readonly narrowed: number;
  /** Microseconds. */
  @Column('bigint', { transformer: epochMillis }) readonly us: number;
  @Column('bigint', { name: 'argument_bytes', transformer: epochMillis }) readonly argumentBytes: number;
  @Column('bigint', { name: 'result_bytes', transformer: epochMillis }) readonly resultBytes: number;
  @Column('integer') readonly cached: number;
  @Column('text', { transformer: json }) readonly tools: readonly string[];
  @Column('integer', { name: 'tool_count' }) readonly toolCount: number;
  /** Tokens of the definitions in `tools`, in their order; null where none was shown. */
  @Column('text', { name: 'tool_tokens', nullable: true, transformer: json })
  readonly toolTokens: readonly number[] | null;

  /** Null unless a call ran. */
  @Column('bigint', { name: 'result_tokens', nullable: true, transformer: wholeOrNull })
  readonly resultTokens: number | null;

  /** As JSON, redacted; null unless the application records them. */
  @Column('text', { nullable: true }) readonly arguments: string | null;
  /** Redacted and cut; null unless the application records it. */
  @Column('text', { nullable: true }) readonly result: string | null;
}
