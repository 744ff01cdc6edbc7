import type { TokenizerName } from '@tool-search/core/internal';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { epochMillis } from '../database/transformers.js';

/** Tokens shown to one session in one hour, counted by one tokenizer. */
@Entity('tool_search_token_ledger')
@Index('ix_tool_search_token_ledger_hour', ['hour'])
export class TokenLedgerEntity {
  @PrimaryColumn('text', { name: 'tenant_id' }) readonly tenantId: string;
  /** `''` if the context names no user. */
  @PrimaryColumn('text', { name: 'user_id' }) readonly userId: string;
  /** `''` if the context names no session. */
  @PrimaryColumn('text', { name: 'session_id' }) readonly sessionId: string;
  @PrimaryColumn('text') readonly tokenizer: TokenizerName;
  /** Start of the hour in epoch milliseconds. */
  @PrimaryColumn('bigint', { transformer: epochMillis }) readonly hour: number;
  @Column('bigint', { transformer: epochMillis }) readonly steps: number;
  @Column('bigint', { name: 'full_tokens', transformer: epochMillis }) readonly fullTokens: number;
  @Column('bigint', { name: 'shown_tokens', transformer: epochMillis }) readonly shownTokens: number;
  @Column('bigint', { name: 'meta_calls', transformer: epochMillis }) readonly metaCalls: number;
  @Column('bigint', { name: 'search_tokens', transformer: epochMillis }) readonly searchTokens: number;
  @Column('bigint', { name: 'cache_kept', transformer: epochMillis }) readonly cacheKept: number;
  @Column('bigint', { name: 'cache_broken', transformer: epochMillis }) readonly cacheBroken: number;
}
