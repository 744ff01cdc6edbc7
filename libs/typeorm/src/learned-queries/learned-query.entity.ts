import { Column, Entity, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** A search of one tenant that led to a tool call. */
@Entity('tool_search_learned_queries')
export class LearnedQueryEntity {
  /** `''` if the application learns for all tenants together. */
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  @PrimaryColumn('text') readonly tool: string;
  @PrimaryColumn('text') readonly query: string;
  @Column('integer') readonly uses: number;
  @Column('bigint', { name: 'last_used_at', transformer: epochMillis }) readonly lastUsedAt: number;
}
