// Records of operators, as the routes answer them.
import type { DefinitionChange, QuarantineVerdict as Verdict, StoredCanary } from '@tool-search/core/operators';

export type { ActivationRecord as Activation, AuditEntry } from '@tool-search/core/stores';
export type { DefinitionChange, StoredCanary, Verdict };

export interface Quarantined {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly hash: string;
  /** Whether it is the canary of its tool. */
  readonly isCanary: boolean;
  readonly suspicion?: string;
  readonly finding?: { readonly code: string; readonly reason: string };
  readonly verdict?: Verdict;
}

export interface QuarantinedDetail extends Quarantined {
  readonly changes: readonly DefinitionChange[];
}

export interface Approval {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  readonly tool: string;
  readonly hash: string;
  readonly rule: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly actor: string;
  readonly reason: string;
  readonly revision: number;
  /** Whether the application records the arguments of this tool. */
  readonly recordsArguments: boolean;
  /** The newest recorded call that waits. */
  readonly call?: {
    readonly at: number;
    readonly argumentBytes: number;
    readonly arguments?: string;
    /** The arguments by members, one a line. */
    readonly shown?: string;
  };
}

export interface Policy {
  readonly tenantId: string;
  readonly agentId: string;
  readonly policy: object;
  readonly allowsNothing?: true;
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
}

export interface PolicyPreview {
  readonly calls: number;
  readonly refused: number;
  readonly isCut: boolean;
  readonly since: number;
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly reason: string }[];
}

export interface Source {
  readonly source: string;
  readonly owner: string;
  readonly state: 'loading' | 'ready' | 'degraded';
  readonly tools: number;
  readonly refusedCount: number;
  readonly refused: readonly { readonly name: string; readonly code: string; readonly reason: string }[];
  readonly held: number;
  readonly reportedCount: number;
  readonly reason?: string;
  readonly loadedAt?: number;
}

/** A new definition of a tool for a share of the tenants. */
export interface Canary {
  readonly tool: string;
  readonly source: string;
  readonly owner: string;
  /** Percent of the tenants. */
  readonly sharePct: number;
  readonly declaredPct: number;
  readonly stored?: StoredCanary;
  readonly held?: string;
  readonly definitionHash: string;
  readonly description: string;
  readonly inputSchema: object;
}
