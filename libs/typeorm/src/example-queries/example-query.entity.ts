import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis, json } from '../database/transformers.js';

/** Example queries written for one definition, or the claim of their writer. */
@Entity('tool_search_example_queries')
@Index('ix_tool_search_example_queries_tool', ['owner', 'tool'])
@Index('ix_tool_search_example_queries_claimed_until', ['claimedUntil'])
export class ExampleQueryEntity {
  /** Of the definition. */
  @PrimaryColumn('text') readonly hash: string;
  /** The tenant that owns the tool; `''` = shared. */
  @Column('text') readonly owner: string;
  @Column('text') readonly tool: string;
  /** Null until something was written. */
  @Column('text', { transformer: json, nullable: true }) readonly queries: readonly string[] | null;
  @Column('text') readonly writer: string;
  /** Epoch milliseconds; 0 = not written. */
  @Column('bigint', { name: 'written_at', transformer: epochMillis }) readonly writtenAt: number;
  @Column('integer') readonly failures: number;
  /** The process that writes; `''` = none. */
  @Column('text', { name: 'claimed_by' }) readonly claimedBy: string;
  /** Epoch milliseconds; 0 = not claimed. */
  @Column('bigint', { name: 'claimed_until', transformer: epochMillis }) readonly claimedUntil: number;
  @Column('bigint', { name: 'reserved_tokens', transformer: epochMillis }) readonly reservedTokens: number;
  @Column('bigint', { name: 'reserved_micros', transformer: epochMillis }) readonly reservedMicros: number;
}
