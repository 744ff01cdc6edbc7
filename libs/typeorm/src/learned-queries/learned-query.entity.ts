import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/epoch-millis.js';

/** A search of one tenant that led to a call of a tool. */
@Entity('tool_search_learned_queries')
export class LearnedQueryEntity {
  /** `''` where the application learns for all tenants together. */
  @PrimaryColumn('text', { name: 'tenant_id' })
  readonly tenantId: string;

  /** Canonical name. */
  @PrimaryColumn('text')
  readonly tool: string;

  @PrimaryColumn('text')
  readonly query: string;

  @Column('integer')
  readonly uses: number;

  @Column('bigint', { name: 'last_used_at', transformer: epochMillis })
  readonly lastUsedAt: number;
}
