import type { ActivationReason } from '@tool-search/core/internal';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { epochMillis } from '../database/transformers.js';

/** A tool that is active in a scope. Deleted together with its scope. */
@Entity('tool_search_activations')
@ForeignKey(
  () => ActivationScopeEntity,
  ['tenantId', 'userId', 'scope', 'scopeId'],
  ['tenantId', 'userId', 'scope', 'scopeId'],
  { name: 'fk_tool_search_activations_scope', onDelete: 'CASCADE' },
)
export class ActivationEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  @PrimaryColumn('text', { name: 'user_id' }) readonly userId: string;
  @PrimaryColumn('text') readonly scope: 'run' | 'session';
  @PrimaryColumn('text', { name: 'scope_id' }) readonly scopeId: string;
  @PrimaryColumn('text') readonly tool: string;
  @Column('text') readonly reason: ActivationReason;
  /** Tokens of the definition at the time of activation. */
  @Column('integer') readonly tokens: number;
  @Column('bigint', { name: 'activated_at', transformer: epochMillis }) readonly activatedAt: number;
  /** 0 in rows written by an earlier version; the time of activation is then used instead. */
  @Column('bigint', { name: 'last_used_at', default: 0, transformer: epochMillis }) readonly lastUsedAt: number;
}
