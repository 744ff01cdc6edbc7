import type { JsonObject } from '@tool-search/core';
import type { ControlKind } from '@tool-search/core/stores';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json } from '../database/transformers.js';

/** A kill switch, a stored policy, a quarantine verdict, edited example queries or an approval. */
@Entity('tool_search_control_records')
@Index('ix_tool_search_control_records_tenant', ['kind', 'tenantId', 'key'])
@Index('ix_tool_search_control_records_expires_at', ['kind', 'expiresAt'])
@Index('ix_tool_search_control_records_open', ['kind', 'tenantId', 'askedBy'], { where: 'revision = 0' })
export class ControlRecordEntity {
  @PrimaryColumn('text') readonly kind: ControlKind;
  @PrimaryColumn('text') readonly key: string;
  /** `''` = all tenants. */
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  @Column('text', { transformer: json }) readonly value: JsonObject;
  /** Epoch milliseconds; 0 = never. */
  @Column('bigint', { name: 'expires_at', transformer: epochMillis }) readonly expiresAt: number;
  /** 0 for an approval that is still undecided. */
  @Column('bigint', { transformer: epochMillis }) readonly revision: number;
  /** The user who asked for it, so that undecided records can be counted by user; `''` = none. */
  @Column('text', { name: 'asked_by', default: '', select: false }) readonly askedBy?: string;
}
