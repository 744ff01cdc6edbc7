import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** One entry of the audit trail. Written once, never changed. */
@Entity('tool_search_audit')
@Index('ux_tool_search_audit_idempotency_key', ['idempotencyKey'], { unique: true, where: "idempotency_key <> ''" })
@Index('ix_tool_search_audit_tenant', ['tenantId', 'seq'])
export class AuditEntryEntity {
  @PrimaryColumn('bigint', { transformer: epochMillis })
  readonly seq: number;

  @Column('bigint', { transformer: epochMillis })
  readonly revision: number;

  @Column('bigint', { transformer: epochMillis })
  readonly at: number;

  @Column('text')
  readonly actor: string;

  @Column('text')
  readonly action: string;

  @Column('text')
  readonly subject: string;

  @Column('text', { name: 'tenant_id' })
  readonly tenantId: string;

  @Column('text')
  readonly reason: string;

  /** JSON. */
  @Column('text', { nullable: true })
  readonly before: string | null;

  /** JSON. */
  @Column('text', { nullable: true })
  readonly after: string | null;

  /** `''` = none. */
  @Column('text', { name: 'idempotency_key' })
  readonly idempotencyKey: string;

  @Column('text', { name: 'prev_hash' })
  readonly prevHash: string;

  @Column('text')
  readonly hash: string;
}
