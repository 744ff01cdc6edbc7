// Counts and records of use, as the routes answer them.
export interface TokenTotals {
  readonly steps: number;
  readonly fullTokens: number;
  readonly shownTokens: number;
  readonly savedTokens: number;
  readonly metaCalls: number;
  readonly searchTokens: number;
  readonly tokenizers: readonly string[];
}

export interface TokenHours {
  readonly since: number;
  readonly until: number;
  readonly items: readonly {
    readonly hour: number;
    readonly shownTokens: number;
    readonly fullTokens: number;
    readonly searchTokens: number;
  }[];
}

export interface TokenCosts {
  readonly items: readonly {
    readonly tenantId: string;
    readonly tool: string;
    readonly shown: number;
    readonly definitionTokens: number;
    readonly calls: number;
    readonly resultTokens: number;
  }[];
  readonly groups: number;
  readonly records: number;
  readonly isComplete: boolean;
}

export interface SessionTokens extends Omit<TokenTotals, 'savedTokens' | 'tokenizers'> {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenizer: string;
  readonly lastHour: number;
}

export interface TenantGaps {
  readonly tenantId: string;
  readonly searches: number;
  readonly zeroHits: number;
  readonly unused: number;
  readonly loops: number;
}

export interface GapQuery {
  readonly kind: 'zero_hit' | 'unused' | 'looped';
  readonly query: string;
  readonly uses: number;
  readonly lastUsedAt: number;
}

export interface ToolQueries {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly added: readonly string[];
  readonly revision: number;
}

export interface CallRecord {
  readonly id: string;
  readonly at: number;
  readonly kind: 'call' | 'shown' | 'searched' | 'described' | 'loaded';
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly agentIds: readonly string[];
  readonly step: number;
  readonly tool: string;
  readonly decision: 'allow' | 'approve' | 'deny';
  readonly layer: string;
  readonly rule: string;
  readonly reason: string;
  readonly outcome: string;
  readonly controlRevision: number;
  readonly ms: number;
  readonly argumentBytes: number;
  readonly resultBytes: number;
  readonly cached: boolean;
  readonly tools: readonly string[];
  readonly toolCount: number;
  readonly arguments?: string;
  readonly result?: string;
}

export interface CallSummary {
  readonly since: number;
  readonly until: number;
  readonly items: readonly {
    readonly hour: number;
    readonly layer: string;
    readonly decision: string;
    readonly outcome: string;
    readonly calls: number;
  }[];
}

export interface RunStep {
  readonly step: number;
  readonly shown?: CallRecord;
  readonly did: readonly CallRecord[];
}
