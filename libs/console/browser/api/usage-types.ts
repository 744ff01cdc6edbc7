// Counts and records of use, as the routes answer them.
import type { CallRecord, CallSum, HourTokens } from '@tool-search/core/stores';
import type { PastExplanation, TokenCosts, TokenTotals } from '@tool-search/core/operators';

export type { GapQuery, SessionTokens, TenantGaps } from '@tool-search/core/stores';
export type { CallRecord, PastExplanation, TokenCosts, TokenTotals };

export interface TokenHours {
  readonly since: number;
  readonly until: number;
  readonly items: readonly HourTokens[];
}

export interface ToolQueries {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly added: readonly string[];
  readonly revision: number;
}

export interface CallSummary {
  readonly since: number;
  readonly until: number;
  readonly items: readonly CallSum[];
}

export interface RunStep {
  readonly step: number;
  readonly shown?: CallRecord;
  readonly did: readonly CallRecord[];
}
