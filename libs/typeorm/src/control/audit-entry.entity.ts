import type { JsonObject } from '@tool-search/core';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json } from '../database/transformers.js';

/** One entry of the audit trail. Written once, never changed. */
@Entity('tool_search_audit')
@Index('ux_tool_search_audit_idempotency_key', ['idempotencyKey'], { unique: true, where: "idempotency_key <> ''" })
@Index('ix_tool_search_audit_tenant', ['tenantId', 'seq'])
export class AuditEntryEntity {
  @PrimaryColumn('bigint', { transformer: epochMillis }) readonly seq: number;
  @Column('bigint', { transformer: epochMillis }) readonly revision: number;
  @Column('bigint', { transformer: epochMillis }) readonly at: number;
  @Column('text') readonly actor: string;
  @Column('text') readonly action: string;
  @Column('text') readonly subject: string;
  @Column('text', { name: 'tenant_id' }) readonly tenantId: string;
  @Column('text') readonly reason: string;
  @Column('text', { nullable: true, transformer: json }) readonly before: JsonObject | null;
  @Column('text', { nullable: true, transformer: json }) readonly after: JsonObject | null;
  /** `''` = none. */
  @Column('text', { name: 'idempotency_key' }) readonly idempotencyKey: string;
  @Column('text', { name: 'prev_hash' }) readonly prevHash: string;
  @Column('text') readonly hash: string;
}
