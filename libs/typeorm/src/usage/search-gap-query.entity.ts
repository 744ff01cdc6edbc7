import type { GapKind } from '@tool-search/core/stores';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** The words of a tenant's search that found no suitable tool. */
@Entity('tool_search_search_gap_queries')
@Index('ix_tool_search_search_gap_queries_last_used_at', ['lastUsedAt'])
export class SearchGapQueryEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  @PrimaryColumn('text') readonly kind: GapKind;
  @PrimaryColumn('text') readonly query: string;
  @Column('bigint', { transformer: epochMillis }) readonly uses: number;
  @Column('bigint', { name: 'last_used_at', transformer: epochMillis }) readonly lastUsedAt: number;
}
