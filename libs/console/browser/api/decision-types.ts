// Records of operators, as the routes answer them.
export interface Verdict {
  readonly verdict: 'approved' | 'rejected';
  readonly reason: string;
  readonly actor: string;
  readonly decidedAt: number;
  readonly revision: number;
}

export interface Quarantined {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly hash: string;
  readonly suspicion?: string;
  readonly finding?: { readonly code: string; readonly reason: string };
  readonly verdict?: Verdict;
}

export interface DefinitionChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
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

export interface AuditEntry {
  readonly seq: number;
  readonly revision: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly tenantId: string;
  readonly reason: string;
  readonly before: object | null;
  readonly after: object | null;
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

export interface Activation {
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: string;
  readonly scopeId: string;
  readonly tool: string;
  readonly reason: string;
  readonly activatedAt: number;
  readonly usedAt: number;
  readonly tokens: number;
}
