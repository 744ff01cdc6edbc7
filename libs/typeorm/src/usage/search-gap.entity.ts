import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** Search outcomes of one tenant in one hour. */
@Entity('tool_search_search_gaps')
@Index('ix_tool_search_search_gaps_hour', ['hour'])
export class SearchGapEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  /** Start of the hour in epoch milliseconds. */
  @PrimaryColumn('bigint', { transformer: epochMillis }) readonly hour: number;
  @Column('bigint', { transformer: epochMillis }) readonly searches: number;
  @Column('bigint', { name: 'zero_hits', transformer: epochMillis }) readonly zeroHits: number;
  @Column('bigint', { transformer: epochMillis }) readonly unused: number;
  @Column('bigint', { transformer: epochMillis }) readonly loops: number;
}
