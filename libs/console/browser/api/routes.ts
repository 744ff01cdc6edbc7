// Made by `npm run console:types` from the OpenAPI document of the routes for operators. Do not edit it.

export interface ActivationAnswer {
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  readonly tool: string;
  readonly reason: 'first_use' | 'load' | 'search';
  readonly activatedAt: number;
  readonly usedAt: number;
  readonly tokens: number;
}

export interface ActivationAnswerPage {
  readonly items: readonly ActivationAnswer[];
  readonly next?: string;
}

export type ActivationScopeKind = 'run' | 'session';

export interface ActivationStatsAnswer {
  readonly scopes: number;
  readonly activations: number;
  readonly tokens: number;
  readonly idleScopes: number;
  readonly oldestUseAt?: number;
}

export interface ActivationsRemoved {
  readonly removed: number;
}

export interface AddQueriesBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly queries: readonly string[];
}

export interface AmendedTool {
  readonly name: string;
  readonly reason: string;
  readonly count?: number;
}

export interface ApprovalAnswer {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly covers: 'call' | 'session';
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  readonly tool: string;
  readonly hash: string;
  readonly rule: string;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly actor: string;
  readonly reason: string;
  readonly note: string;
  readonly revision: number;
}

export type ApprovalStatus = 'pending' | 'approved' | 'refused';

export interface ApproveBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly forMs?: number;
  readonly note?: string;
}

export interface ApproveSourceBody {
  readonly reason: string;
  readonly source: string;
  readonly owner?: string;
  readonly confirm: readonly string[];
}

export interface ArgumentRuleBody {
  readonly id: string;
  readonly tools: readonly string[];
  readonly when?: Readonly<Record<string, unknown>>;
  readonly unless?: Readonly<Record<string, unknown>>;
  readonly then: 'deny' | 'approve';
  readonly scope?: 'session';
  readonly reason: string;
  readonly message?: string;
}

export interface AuditEntryAnswer {
  readonly seq: number;
  readonly revision: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly tenantId: string;
  readonly reason: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly idempotencyKey: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface AuditEntryAnswerPage {
  readonly items: readonly AuditEntryAnswer[];
  readonly next?: string;
}

export interface AuditVerdictAnswer {
  readonly valid: boolean;
  readonly entries: number;
  readonly revision: number;
  readonly broken?: BrokenChainAnswer;
  readonly records?: readonly RecordFaultAnswer[];
}

export interface BlastRadiusAnswer {
  readonly matched: number;
  readonly tools: readonly string[];
  readonly sources: readonly string[];
  readonly alreadyOff: number;
  readonly activations: number;
  readonly tenants: readonly string[];
  readonly isCut: boolean;
  readonly everything: boolean;
  readonly revision: number;
}

export interface BrokenChainAnswer {
  readonly seq: number;
  readonly reason: string;
}

export interface BudgetBody {
  readonly of?: string;
  readonly max: number;
  readonly every?: 'day' | 'month';
  readonly timeZone?: string;
}

export interface CacheCleared {
  readonly removed: number;
}

export interface CallAnswer {
  readonly id: string;
  readonly at: number;
  readonly kind: CallKind;
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly agentIds: readonly string[];
  readonly step: number;
  readonly callId: string;
  readonly tool: string;
  readonly definitionHash: string;
  readonly decision: 'allow' | 'approve' | 'deny';
  readonly layer: DecidingLayer;
  readonly rule: string;
  readonly reason: string;
  readonly outcome: CallOutcome;
  readonly controlRevision: number;
  readonly catalogRevision: number;
  readonly policyHash: string;
  readonly narrowed: boolean;
  readonly ms: number;
  readonly argumentBytes: number;
  readonly resultBytes: number;
  readonly cached: boolean;
  readonly tools: readonly string[];
  readonly toolCount: number;
  readonly toolTokens?: readonly number[];
  readonly resultTokens?: number;
  readonly arguments?: string;
  readonly result?: string;
}

export interface CallAnswerPage {
  readonly items: readonly CallAnswer[];
  readonly next?: string;
}

export interface CallCostAnswer {
  readonly tenantId: string;
  readonly tool: string;
  readonly shown: number;
  readonly definitionTokens: number;
  readonly calls: number;
  readonly resultTokens: number;
}

export interface CallCostsAnswer {
  readonly items: readonly CallCostAnswer[];
  readonly groups: number;
  readonly definitionTokens: number;
  readonly resultTokens: number;
  readonly records: number;
  readonly isComplete: boolean;
  readonly oldest?: number;
}

export interface CallFiguresAnswer {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

export type CallKind = 'call' | 'admitted' | 'shown' | 'searched' | 'described' | 'loaded' | 'completed';

export type CallOutcome = 'ok' | 'INVALID_QUERY' | 'QUERY_TOO_LONG' | 'INVALID_PATTERN' | 'PATTERN_UNSUPPORTED' | 'PATTERN_TOO_COSTLY' | 'INVALID_ARGUMENTS' | 'ARGUMENTS_TOO_LARGE' | 'TOO_MANY_NAMES' | 'TOOL_NOT_AVAILABLE' | 'TOOL_FORBIDDEN' | 'TOOL_FAILED' | 'TOOL_TIMEOUT' | 'TOOL_CANCELLED' | 'SOURCE_UNAVAILABLE' | 'SOURCE_BUSY' | 'UPSTREAM_INVALID' | 'UPSTREAM_TOO_LARGE' | 'REDACTION_FAILED' | 'ACTIVATION_LIMIT' | 'APPROVAL_REQUIRED' | 'APPROVAL_PENDING' | 'APPROVAL_REFUSED' | 'LIMIT_REACHED' | 'ARGUMENTS_NOT_ALLOWED' | 'CALL_REFUSED' | 'RESULT_NOT_AVAILABLE' | 'TOOL_RETIRED' | 'CREDENTIALS_REQUIRED' | 'CREDENTIALS_UNREADABLE' | 'GATE_CLOSED' | 'SESSION_REQUIRED' | 'INVALID_SESSION' | 'INVALID_CONTEXT' | 'UNAUTHENTICATED' | 'CONTEXT_UNAVAILABLE' | 'FORBIDDEN' | 'NOT_FOUND' | 'RATE_LIMITED' | 'RUN_NOT_FOUND' | 'RUN_DRIFTED' | 'INVALID_REQUEST' | 'REVISION_CONFLICT' | 'CONFIRMATION_REQUIRED' | 'CONFIRMATION_REFUSED' | 'INPUT_REQUIRED' | 'STATIC_POLICY' | 'STORE_UNAVAILABLE' | 'INVALID_CONFIGURATION' | 'INVALID_TOOL' | 'DUPLICATE_TOOL' | 'SOURCE_LIMIT' | 'INTERNAL';

export interface CallOverviewAnswer {
  readonly since: number;
  readonly until: number;
  readonly stepMs: number;
  readonly isComplete: boolean;
  readonly total: CallFiguresAnswer;
  readonly spans: readonly CallSpanAnswer[];
  readonly refusals: readonly RefusalAnswer[];
  readonly sources: readonly SourceFiguresAnswer[];
  readonly tenants: readonly TenantFiguresAnswer[];
}

export interface CallSpanAnswer {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly from: number;
}

export interface CallSumAnswer {
  readonly hour: number;
  readonly layer: DecidingLayer;
  readonly decision: 'allow' | 'approve' | 'deny';
  readonly outcome: CallOutcome;
  readonly calls: number;
}

export interface CallSummaryAnswer {
  readonly since: number;
  readonly until: number;
  readonly items: readonly CallSumAnswer[];
}

export interface CallerAnswer {
  readonly tenantId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly calls: number;
  readonly lastAt: number;
}

export interface CallersAnswer {
  readonly callers: readonly CallerAnswer[];
  readonly calls: number;
  readonly isComplete: boolean;
}

export interface CallsErased {
  readonly removed: number;
}

export interface CatalogTool {
  readonly name: string;
  readonly kind?: 'resource' | 'resource_template' | 'prompt';
  readonly uri?: string;
  readonly title?: string;
  readonly source: string;
  readonly owner: string;
  readonly namespace: string;
  readonly tags: readonly string[];
  readonly sideEffects: SideEffects;
  readonly loading: Loading;
  readonly hash: string;
  readonly suspicion?: string;
  readonly finding?: FindingAnswer;
  readonly verdict?: 'approved' | 'rejected';
  readonly killedBy?: string;
  readonly decision?: DecisionAnswer;
}

export interface CatalogToolPage {
  readonly items: readonly CatalogTool[];
  readonly next?: string;
}

export interface ChangeBody {
  readonly reason: string;
  readonly expectedRevision?: number;
}

export interface ConcurrencyBody {
  readonly calls: number;
}

export type CostGroup = 'tenant_and_tool' | 'tool' | 'tenant';

export interface CredentialRevoked {
  readonly removed: boolean;
  readonly endedAtProvider: boolean;
}

export type DecidingLayer = 'source' | 'quarantine' | 'policy' | 'visibility' | 'kill_switch' | 'lifecycle' | 'arguments' | 'call_policy' | 'approval' | 'limit';

export interface DecisionAnswer {
  readonly outcome: 'allow' | 'approve' | 'deny';
  readonly layer: DecidingLayer;
  readonly rule: string;
  readonly reason: string;
}

export interface DecisionBody {
  readonly reason: string;
  readonly expectedRevision?: number;
}

export interface DefinitionAnswer {
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly aliases: readonly string[];
  readonly exampleQueries: readonly string[];
  readonly hash: string;
  readonly tags: readonly string[];
  readonly sideEffects: SideEffects;
}

export interface DefinitionChangeAnswer {
  readonly path: string;
  readonly before?: string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | null;
  readonly after?: string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | null;
}

export interface DeprecationAnswer {
  readonly since?: string;
  readonly successor?: string;
  readonly sunset?: string;
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
  readonly tool: string;
}

export interface DeprecationAnswerPage {
  readonly items: readonly DeprecationAnswer[];
  readonly next?: string;
}

export interface DeprecationBody {
  readonly since?: string;
  readonly successor?: string;
  readonly sunset?: string;
}

export interface DeprecationRemoved {
  readonly revision: number;
}

export interface DryKillSwitchBody {
  readonly calls?: number;
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId?: string;
}

export interface DryLimitBody {
  readonly calls?: number;
  readonly id: string;
  readonly limit: LimitBody;
}

export interface DryPolicyBody {
  readonly calls?: number;
  readonly tenantId?: string;
  readonly agentId?: string;
  readonly policy?: PolicyBody;
}

export interface DryRunAnswer {
  readonly calls: number;
  readonly since: number;
  readonly refused: number;
  readonly approval: number;
  readonly unknown: number;
  readonly unchanged: number;
  readonly groups: readonly DryRunGroupAnswer[];
  readonly examples: readonly DryRunExampleAnswer[];
}

export interface DryRunExampleAnswer {
  readonly becomes: 'refused' | 'approval' | 'unknown';
  readonly evidence: Evidence;
  readonly id: string;
  readonly at: number;
  readonly tenantId: string;
  readonly userId: string;
  readonly runId: string;
  readonly tool: string;
  readonly decision: 'allow' | 'approve' | 'deny';
  readonly layer: DecidingLayer;
  readonly outcome: CallOutcome;
}

export interface DryRunGroupAnswer {
  readonly becomes: 'refused' | 'approval' | 'unknown';
  readonly evidence: Evidence;
  readonly tenantId: string;
  readonly tool: string;
  readonly calls: number;
}

export interface EngageBody {
  readonly reason: string;
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId?: string;
  readonly expectedRevision?: number;
  readonly expiresAt?: number;
  readonly abortRunning?: boolean;
  readonly confirm?: string;
}

export type Evidence = 'recorded' | 'recomputed' | 'not_recorded';

export interface ExplainBody {
  readonly tool: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface ExplainDiffBody {
  readonly tool: string;
  readonly left: Readonly<Record<string, unknown>>;
  readonly right: Readonly<Record<string, unknown>>;
}

export interface ExplainPastBody {
  readonly tool: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly at: number;
}

export interface ExplanationAnswer {
  readonly tool: string;
  readonly outcome: 'allow' | 'approve' | 'deny';
  readonly layers: readonly LayerAnswer[];
}

export interface ExplanationDiffAnswer {
  readonly left: ExplanationAnswer;
  readonly right: ExplanationAnswer;
  readonly isSame: boolean;
  readonly partsAt?: ToolLayer;
  readonly differences: readonly LayerDifference[];
}

export interface FindingAnswer {
  readonly code: string;
  readonly reason: string;
}

export type GapKind = 'zero_hit' | 'unused' | 'looped';

export interface GapQueryAnswer {
  readonly kind: 'zero_hit' | 'unused' | 'looped';
  readonly query: string;
  readonly uses: number;
  readonly lastUsedAt: number;
}

export interface GapQueryAnswerPage {
  readonly items: readonly GapQueryAnswer[];
  readonly next?: string;
}

export interface GapsForgotten {
  readonly removed: number;
}

export interface HourTokensAnswer {
  readonly steps: number;
  readonly fullTokens: number;
  readonly shownTokens: number;
  readonly metaCalls: number;
  readonly searchTokens: number;
  readonly cacheKept: number;
  readonly cacheBroken: number;
  readonly hour: number;
  readonly tokenizer: 'o200k_base' | 'estimate' | 'custom';
}

export interface InstanceAnswer {
  readonly id: string;
  readonly appliedRevision: number;
  readonly silentMs: number;
}

export interface KillSwitchAnswer {
  readonly id: string;
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId: string;
  readonly reason: string;
  readonly actor: string;
  readonly engagedAt: number;
  readonly expiresAt: number;
  readonly abortRunning: boolean;
  readonly matched: number;
  readonly revision: number;
}

export interface KillSwitchChanged {
  readonly killSwitch: KillSwitchAnswer;
  readonly revision: number;
  readonly matched: number;
  readonly warning?: string;
  readonly instances?: readonly InstanceAnswer[];
  readonly pending?: readonly string[];
}

export type KillSwitchState = 'live' | 'expired';

export interface LayerAnswer {
  readonly layer: ToolLayer;
  readonly verdict: 'pass' | 'approve' | 'deny' | 'not_reached';
  readonly rule: string;
  readonly reason: string;
}

export interface LayerDifference {
  readonly layer: ToolLayer;
  readonly left: LayerAnswer;
  readonly right: LayerAnswer;
}

export interface LimitAnswer {
  readonly limit: NamedLimit;
  readonly stored?: LimitChangeAnswer;
  readonly usage?: UsageAnswer;
}

export interface LimitAnswerPage {
  readonly items: readonly LimitAnswer[];
  readonly next?: string;
}

export interface LimitBody {
  readonly match?: LimitMatchBody;
  readonly per?: readonly ('tenant' | 'user' | 'agent' | 'session' | 'tool' | 'namespace')[];
  readonly rate?: RateBody;
  readonly concurrency?: ConcurrencyBody;
  readonly budget?: BudgetBody;
  readonly hard?: boolean;
}

export interface LimitChangeAnswer {
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
}

export interface LimitMatchBody {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly tool?: string;
  readonly namespace?: string;
  readonly tag?: string;
  readonly sideEffects?: SideEffects;
}

export interface LimitRemoved {
  readonly revision: number;
}

export interface ListedApproval {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly covers: 'call' | 'session';
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  readonly tool: string;
  readonly hash: string;
  readonly rule: string;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly actor: string;
  readonly reason: string;
  readonly note: string;
  readonly revision: number;
  readonly recordsArguments: boolean;
  readonly arguments?: string;
  readonly call?: WaitingCallAnswer;
}

export interface ListedApprovalPage {
  readonly items: readonly ListedApproval[];
  readonly next?: string;
}

export interface ListedKillSwitch {
  readonly id: string;
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId: string;
  readonly reason: string;
  readonly actor: string;
  readonly engagedAt: number;
  readonly expiresAt: number;
  readonly abortRunning: boolean;
  readonly matched: number;
  readonly revision: number;
  readonly live: boolean;
}

export interface ListedKillSwitchPage {
  readonly items: readonly ListedKillSwitch[];
  readonly next?: string;
}

export type Loading = 'always' | 'deferred';

export interface MeAnswer {
  readonly actor: string;
  readonly tenants: 'all' | readonly string[];
  readonly readOnly: boolean;
  readonly callerFields: Readonly<Record<string, readonly string[]>>;
}

export interface NamedLimit {
  readonly match?: LimitMatchBody;
  readonly per?: readonly ('tenant' | 'user' | 'agent' | 'session' | 'tool' | 'namespace')[];
  readonly rate?: RateBody;
  readonly concurrency?: ConcurrencyBody;
  readonly budget?: BudgetBody;
  readonly hard?: boolean;
  readonly id: string;
}

export interface NeededToolAnswer {
  readonly tool: string;
  readonly state: Readiness;
  readonly layer?: string;
  readonly rule?: string;
  readonly reason?: string;
}

export interface PastExplanationAnswer {
  readonly tool: string;
  readonly at: number;
  readonly outcome: 'allow' | 'approve' | 'deny';
  readonly record: string;
  readonly narrowed: boolean;
  readonly layers: readonly PastLayerAnswer[];
}

export interface PastLayerAnswer {
  readonly layer: DecidingLayer;
  readonly verdict: 'pass' | 'approve' | 'deny' | 'not_reached';
  readonly rule: string;
  readonly reason: string;
}

export interface PolicyAnswer {
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
  readonly tenantId: string;
  readonly agentId: string;
  readonly policy: PolicyBody;
  readonly counts: PolicyCounts;
  readonly allowsNothing?: true;
}

export interface PolicyAnswerPage {
  readonly items: readonly PolicyAnswer[];
  readonly next?: string;
}

export interface PolicyBody {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly requireTags?: readonly string[];
  readonly approval?: readonly (string | {
  readonly tools: string;
  readonly scope: 'session';
})[];
  readonly arguments?: readonly ArgumentRuleBody[];
}

export interface PolicyCounts {
  readonly allow: number | null;
  readonly deny: number | null;
  readonly requireTags: number | null;
  readonly approval: number | null;
  readonly arguments: number | null;
}

export interface PolicyRemoved {
  readonly revision: number;
}

export interface PolicySetAnswer {
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
  readonly tenantId: string;
  readonly agentId: string;
  readonly policy: PolicyBody;
  readonly counts: PolicyCounts;
  readonly allowsNothing?: true;
  readonly warnings: readonly string[];
}

export interface PreflightAnswer {
  readonly outcome: 'ready' | 'retry' | 'blocked' | 'unknown';
  readonly tools: readonly NeededToolAnswer[];
}

export interface PreflightBody {
  readonly context: Readonly<Record<string, unknown>>;
  readonly needs?: readonly string[];
}

export type PreviewMode = 'all' | 'deferred' | 'bridge' | 'native' | 'auto';

export interface PreviewedHit {
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly match: string;
  readonly why?: readonly string[];
  readonly parts: readonly ScorePartAnswer[];
  readonly tokens: number;
}

export interface PreviewedTool {
  readonly name: string;
  readonly description: string;
  readonly tokens: number;
}

export interface ProblemBody {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ToolSearchErrorCode;
  readonly hint?: string;
  readonly retryAfterSeconds?: number;
  readonly limit?: string;
}

export interface ProfileAnswer {
  readonly name: string;
  readonly code?: ProfileBody;
  readonly stored?: StoredProfileAnswer;
}

export interface ProfileAnswerPage {
  readonly items: readonly ProfileAnswer[];
  readonly next?: string;
}

export interface ProfileBody {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly requireTags?: readonly string[];
  readonly needs?: readonly string[];
  readonly exposure?: 'bridge' | 'all' | 'deferred';
  readonly prefix?: boolean;
  readonly instructions?: string;
  readonly scopes?: readonly string[];
}

export interface ProfileRemoved {
  readonly revision: number;
}

export interface PromptAnswer {
  readonly guidance?: string;
  readonly directory?: string;
  readonly hints?: string;
}

export interface QuarantinedAnswer {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly hash: string;
  readonly suspicion?: string;
  readonly finding?: FindingAnswer;
  readonly verdict?: VerdictAnswer;
}

export interface QuarantinedAnswerPage {
  readonly items: readonly QuarantinedAnswer[];
  readonly next?: string;
}

export interface QuarantinedDetail {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly hash: string;
  readonly suspicion?: string;
  readonly finding?: FindingAnswer;
  readonly verdict?: VerdictAnswer;
  readonly changes: readonly DefinitionChangeAnswer[];
}

export interface RateBody {
  readonly calls: number;
  readonly windowMs: number;
  readonly window?: 'sliding' | 'fixed';
}

export type Readiness = 'ready' | 'needs_approval' | 'retry' | 'blocked' | 'unknown';

export interface RecordFaultAnswer {
  readonly kind: 'kill_switch' | 'policy' | 'quarantine' | 'example_queries' | 'limit' | 'profile' | 'deprecation' | 'approval';
  readonly key: string;
  readonly revision: number;
  readonly reason: string;
}

export interface RefusalAnswer {
  readonly layer: DecidingLayer;
  readonly calls: number;
}

export interface RefusedTool {
  readonly name: string;
  readonly code: ToolSearchErrorCode;
  readonly reason: string;
  readonly count?: number;
}

export interface ReleaseBody {
  readonly reason: string;
  readonly expectedRevision: number;
}

export interface ReleaseTargetBody {
  readonly reason: string;
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId?: string;
  readonly expectedRevision: number;
}

export interface ReloadBody {
  readonly reason: string;
  readonly owner?: string;
}

export interface ReportedAnswer {
  readonly code: string;
  readonly reason: string;
  readonly name: string;
}

export interface RunStepAnswer {
  readonly step: number;
  readonly shown?: CallAnswer;
  readonly did: readonly CallAnswer[];
}

export interface RunStepAnswerPage {
  readonly items: readonly RunStepAnswer[];
  readonly next?: string;
}

export interface ScorePartAnswer {
  readonly field: string;
  readonly word?: string;
  readonly as?: string;
  readonly score: number;
}

export interface SearchPreviewAnswer {
  readonly verdict: 'found' | 'weak' | 'none';
  readonly hits: readonly PreviewedHit[];
  readonly unmatched: readonly string[];
  readonly notice?: string;
  readonly hint?: string;
  readonly answerTokens: number;
  readonly tokenizer: TokenizerName;
}

export interface SearchPreviewBody {
  readonly context: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly namespace?: string;
  readonly limit?: number;
}

export interface SessionTokensAnswer {
  readonly steps: number;
  readonly fullTokens: number;
  readonly shownTokens: number;
  readonly metaCalls: number;
  readonly searchTokens: number;
  readonly cacheKept: number;
  readonly cacheBroken: number;
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenizer: 'o200k_base' | 'estimate' | 'custom';
  readonly lastHour: number;
}

export interface SessionTokensAnswerPage {
  readonly items: readonly SessionTokensAnswer[];
  readonly next?: string;
}

export interface SetDeprecationBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly deprecation: DeprecationBody;
}

export interface SetLimitBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly limit: LimitBody;
}

export interface SetPolicyBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly policy: PolicyBody;
}

export interface SetProfileBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly profile: ProfileBody;
}

export interface SetQueriesBody {
  readonly reason: string;
  readonly expectedRevision?: number;
  readonly queries: readonly string[];
}

export type SideEffects = 'pure' | 'read' | 'write' | 'external' | 'stateful';

export interface SourceAnswer {
  readonly source: string;
  readonly owner: string;
  readonly state: 'loading' | 'ready' | 'degraded';
  readonly tools: number;
  readonly exposes: readonly ('resource' | 'resource_template' | 'prompt' | 'logging' | 'apps')[];
  readonly refusedCount: number;
  readonly held: number;
  readonly reportedCount: number;
  readonly reported: readonly ReportedAnswer[];
  readonly refused: readonly RefusedTool[];
  readonly amendedCount: number;
  readonly amended: readonly AmendedTool[];
  readonly code?: ToolSearchErrorCode;
  readonly reason?: string;
  readonly hint?: string;
  readonly throttledUntil?: number;
  readonly loadedAt?: number;
}

export interface SourceAnswerPage {
  readonly items: readonly SourceAnswer[];
  readonly next?: string;
}

export interface SourceFiguresAnswer {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly prefix: string;
  readonly source?: string;
}

export interface SourceQueueAnswer {
  readonly source: string;
  readonly owner: string;
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

export interface StatusAnswer {
  readonly state: 'ready' | 'stale' | 'closed';
  readonly revision: number;
  readonly ageMs: number | null;
  readonly writable: boolean;
  readonly reason?: string;
  readonly instanceId: string;
  readonly instances?: readonly InstanceAnswer[];
  readonly counts: StatusCounts;
  readonly queues: readonly SourceQueueAnswer[];
}

export interface StatusCounts {
  readonly tools: number;
  readonly sources: number;
  readonly sourcesNotReady: number;
  readonly killSwitches: number;
  readonly reported: number;
  readonly quarantined: number;
}

export interface StoredProfileAnswer {
  readonly reason: string;
  readonly actor: string;
  readonly changedAt: number;
  readonly revision: number;
  readonly profile: ProfileBody;
}

export interface SurfacePreviewAnswer {
  readonly mode: 'all' | 'deferred' | 'bridge' | 'native';
  readonly reason: string;
  readonly tools: readonly PreviewedTool[];
  readonly listed: number;
  readonly visible: number;
  readonly meta: readonly PreviewedTool[];
  readonly prompt: PromptAnswer;
  readonly shownTokens: number;
  readonly fullTokens: number;
  readonly tokenizer: TokenizerName;
}

export interface SurfacePreviewBody {
  readonly context: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly mode?: PreviewMode;
}

export interface SwitchPreviewBody {
  readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
  readonly value: string;
  readonly tenantId?: string;
}

export interface TenantFiguresAnswer {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly tenantId: string;
}

export interface TenantGapsAnswer {
  readonly tenantId: string;
  readonly searches: number;
  readonly zeroHits: number;
  readonly unused: number;
  readonly loops: number;
}

export interface TenantGapsAnswerPage {
  readonly items: readonly TenantGapsAnswer[];
  readonly next?: string;
}

export interface TokenHoursAnswer {
  readonly since: number;
  readonly until: number;
  readonly items: readonly HourTokensAnswer[];
}

export interface TokenTotalsAnswer {
  readonly steps: number;
  readonly fullTokens: number;
  readonly shownTokens: number;
  readonly metaCalls: number;
  readonly searchTokens: number;
  readonly cacheKept: number;
  readonly cacheBroken: number;
  readonly writingTokens?: number;
  readonly savedTokens: number;
  readonly tokenizers: readonly ('o200k_base' | 'estimate' | 'custom')[];
}

export type TokenizerName = 'o200k_base' | 'estimate' | 'custom';

export type ToolLayer = 'source' | 'quarantine' | 'policy' | 'visibility' | 'kill_switch' | 'lifecycle' | 'arguments' | 'call_policy' | 'approval' | 'limit' | 'loading' | 'activation' | 'budget';

export interface ToolQueriesAnswer {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly owner: string;
  readonly hash: string;
  readonly description: string;
  readonly own: readonly string[];
  readonly added: readonly string[];
  readonly origin: 'operator' | 'file' | 'writer' | 'none';
  readonly writing: 'written' | 'pending' | 'given_up' | 'not_wanted';
  readonly writer?: string;
  readonly revision: number;
}

export interface ToolQueriesAnswerPage {
  readonly items: readonly ToolQueriesAnswer[];
  readonly next?: string;
}

export type ToolSearchErrorCode = 'INVALID_QUERY' | 'QUERY_TOO_LONG' | 'INVALID_PATTERN' | 'PATTERN_UNSUPPORTED' | 'PATTERN_TOO_COSTLY' | 'INVALID_ARGUMENTS' | 'ARGUMENTS_TOO_LARGE' | 'TOO_MANY_NAMES' | 'TOOL_NOT_AVAILABLE' | 'TOOL_FORBIDDEN' | 'TOOL_FAILED' | 'TOOL_TIMEOUT' | 'TOOL_CANCELLED' | 'SOURCE_UNAVAILABLE' | 'SOURCE_BUSY' | 'UPSTREAM_INVALID' | 'UPSTREAM_TOO_LARGE' | 'REDACTION_FAILED' | 'ACTIVATION_LIMIT' | 'APPROVAL_REQUIRED' | 'APPROVAL_PENDING' | 'APPROVAL_REFUSED' | 'LIMIT_REACHED' | 'ARGUMENTS_NOT_ALLOWED' | 'CALL_REFUSED' | 'RESULT_NOT_AVAILABLE' | 'TOOL_RETIRED' | 'CREDENTIALS_REQUIRED' | 'CREDENTIALS_UNREADABLE' | 'GATE_CLOSED' | 'SESSION_REQUIRED' | 'INVALID_SESSION' | 'INVALID_CONTEXT' | 'UNAUTHENTICATED' | 'CONTEXT_UNAVAILABLE' | 'FORBIDDEN' | 'NOT_FOUND' | 'RATE_LIMITED' | 'RUN_NOT_FOUND' | 'RUN_DRIFTED' | 'INVALID_REQUEST' | 'REVISION_CONFLICT' | 'CONFIRMATION_REQUIRED' | 'CONFIRMATION_REFUSED' | 'INPUT_REQUIRED' | 'STATIC_POLICY' | 'STORE_UNAVAILABLE' | 'INVALID_CONFIGURATION' | 'INVALID_TOOL' | 'DUPLICATE_TOOL' | 'SOURCE_LIMIT' | 'INTERNAL';

export interface ToolStateAnswer {
  readonly tool: string;
  readonly outcome: 'allow' | 'approve' | 'deny';
  readonly layer?: ToolLayer;
  readonly rule?: string;
  readonly reason?: string;
}

export interface ToolStatesAnswer {
  readonly items: readonly ToolStateAnswer[];
}

export interface ToolStatesBody {
  readonly tools: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
}

export interface UsageAnswer {
  readonly used: number;
  readonly max: number;
  readonly remaining: number;
}

export interface UserCredentialAnswer {
  readonly tenantId: string;
  readonly userId: string;
  readonly source: string;
  readonly owner: string;
  readonly keyId: string;
  readonly expiresAt: number;
  readonly connectedAt: number;
  readonly changedAt: number;
}

export interface UserCredentialAnswerPage {
  readonly items: readonly UserCredentialAnswer[];
  readonly next?: string;
}

export interface VerdictAnswer {
  readonly owner: string;
  readonly source: string;
  readonly tool: string;
  readonly hash: string;
  readonly verdict: 'approved' | 'rejected';
  readonly reason: string;
  readonly actor: string;
  readonly decidedAt: number;
  readonly revision: number;
}

export interface VerdictsAnswer {
  readonly items: readonly VerdictAnswer[];
}

export interface ViewDiffAnswer {
  readonly both: number;
  readonly left: ViewSide;
  readonly right: ViewSide;
}

export interface ViewDiffBody {
  readonly left: Readonly<Record<string, unknown>>;
  readonly right: Readonly<Record<string, unknown>>;
}

export interface ViewDifference {
  readonly name: string;
  readonly layer?: ToolLayer;
  readonly rule?: string;
  readonly reason?: string;
}

export interface ViewSide {
  readonly visible: number;
  readonly only: number;
  readonly tools: readonly ViewDifference[];
}

export interface WaitingCallAnswer {
  readonly id: string;
  readonly at: number;
  readonly argumentBytes: number;
  readonly arguments?: string;
  readonly shown?: string;
}

export interface WritingLimitsAnswer {
  readonly tokens: number;
  readonly money?: number;
}

export interface WritingSpendAnswer {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly money: number;
  readonly limits: WritingLimitsAnswer;
}

export interface WritingStatusAnswer {
  readonly state: 'off' | 'idle' | 'writing' | 'waiting' | 'budget_spent' | 'stopped';
  readonly writer?: string;
  readonly wanted: number;
  readonly written: number;
  readonly pending: number;
  readonly givenUp: number;
  readonly reason?: string;
  readonly spend: WritingSpendAnswer;
}

/** What each route takes and answers. */
export interface Routes {
  readonly 'DELETE activations': {
    readonly query: { readonly tenantId?: string; readonly userId?: string; readonly scope?: ActivationScopeKind; readonly scopeId?: string; readonly tool?: string; readonly reason: string; readonly confirm?: string };
    readonly answer: ActivationsRemoved;
  };
  readonly 'DELETE calls': {
    readonly query: { readonly tenantId?: string; readonly userId?: string; readonly reason: string; readonly confirm?: string };
    readonly answer: CallsErased;
  };
  readonly 'DELETE deprecations/{tool}': {
    readonly path: { readonly tool: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: DeprecationRemoved;
  };
  readonly 'DELETE example-queries/{id}': {
    readonly path: { readonly id: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: ToolQueriesAnswer;
  };
  readonly 'DELETE limits/{id}': {
    readonly path: { readonly id: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: LimitRemoved;
  };
  readonly 'DELETE policies/agents/{agentId}': {
    readonly path: { readonly agentId: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: PolicyRemoved;
  };
  readonly 'DELETE policies/tenants/{tenantId}': {
    readonly path: { readonly tenantId: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: PolicyRemoved;
  };
  readonly 'DELETE policies/tenants/{tenantId}/agents/{agentId}': {
    readonly path: { readonly tenantId: string; readonly agentId: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: PolicyRemoved;
  };
  readonly 'DELETE profiles/{name}': {
    readonly path: { readonly name: string };
    readonly query: { readonly reason: string; readonly expectedRevision?: number };
    readonly answer: ProfileRemoved;
  };
  readonly 'DELETE search-cache': {
    readonly query: { readonly reason: string };
    readonly answer: CacheCleared;
  };
  readonly 'DELETE search-gaps': {
    readonly query: { readonly tenantId?: string; readonly reason: string; readonly confirm?: string };
    readonly answer: GapsForgotten;
  };
  readonly 'DELETE user-credentials': {
    readonly query: { readonly tenantId: string; readonly userId: string; readonly source: string; readonly owner?: string; readonly reason: string };
    readonly answer: CredentialRevoked;
  };
  readonly 'GET activations': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly userId?: string; readonly scope?: ActivationScopeKind; readonly scopeId?: string; readonly tool?: string };
    readonly answer: ActivationAnswerPage;
  };
  readonly 'GET activations/stats': {
    readonly answer: ActivationStatsAnswer;
  };
  readonly 'GET approvals': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly status?: ApprovalStatus };
    readonly answer: ListedApprovalPage;
  };
  readonly 'GET audit': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly actor?: string; readonly action?: string; readonly since?: number; readonly until?: number };
    readonly answer: AuditEntryAnswerPage;
  };
  readonly 'GET audit/verify': {
    readonly query?: { readonly seq?: number; readonly hash?: string };
    readonly answer: AuditVerdictAnswer;
  };
  readonly 'GET calls': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly kind?: CallKind; readonly tenantId?: string; readonly userId?: string; readonly sessionId?: string; readonly runId?: string; readonly tool?: string; readonly outcome?: CallOutcome; readonly layer?: DecidingLayer; readonly since?: number; readonly until?: number };
    readonly answer: CallAnswerPage;
  };
  readonly 'GET calls/costs': {
    readonly query?: { readonly tenantId?: string; readonly since?: number; readonly until?: number; readonly by?: CostGroup; readonly records?: number; readonly limit?: number };
    readonly answer: CallCostsAnswer;
  };
  readonly 'GET calls/overview': {
    readonly query?: { readonly tenantId?: string; readonly since?: number; readonly until?: number };
    readonly answer: CallOverviewAnswer;
  };
  readonly 'GET calls/summary': {
    readonly query?: { readonly tenantId?: string; readonly userId?: string; readonly sessionId?: string; readonly runId?: string; readonly tool?: string; readonly outcome?: CallOutcome; readonly layer?: DecidingLayer; readonly since?: number; readonly until?: number };
    readonly answer: CallSummaryAnswer;
  };
  readonly 'GET catalog': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly source?: string; readonly namespace?: string; readonly q?: string; readonly contains?: string; readonly tenantId?: string };
    readonly answer: CatalogToolPage;
  };
  readonly 'GET catalog/{name}': {
    readonly path: { readonly name: string };
    readonly query?: { readonly owner?: string; readonly tenantId?: string; readonly kind?: string };
    readonly answer: DefinitionAnswer;
  };
  readonly 'GET deprecations': {
    readonly query?: { readonly limit?: number; readonly cursor?: string };
    readonly answer: DeprecationAnswerPage;
  };
  readonly 'GET deprecations/{tool}/callers': {
    readonly path: { readonly tool: string };
    readonly query?: { readonly since?: number };
    readonly answer: CallersAnswer;
  };
  readonly 'GET example-queries': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly source?: string; readonly tenantId?: string; readonly q?: string };
    readonly answer: ToolQueriesAnswerPage;
  };
  readonly 'GET example-queries/status': {
    readonly answer: WritingStatusAnswer;
  };
  readonly 'GET example-queries/{id}': {
    readonly path: { readonly id: string };
    readonly answer: ToolQueriesAnswer;
  };
  readonly 'GET kill-switches': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly contains?: string; readonly state?: KillSwitchState };
    readonly answer: ListedKillSwitchPage;
  };
  readonly 'GET kill-switches/history': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly actor?: string; readonly since?: number; readonly until?: number };
    readonly answer: AuditEntryAnswerPage;
  };
  readonly 'GET limits': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly userId?: string; readonly agentId?: string; readonly sessionId?: string; readonly tool?: string; readonly namespace?: string };
    readonly answer: LimitAnswerPage;
  };
  readonly 'GET me': {
    readonly answer: MeAnswer;
  };
  readonly 'GET policies': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string };
    readonly answer: PolicyAnswerPage;
  };
  readonly 'GET policies/agents/{agentId}': {
    readonly path: { readonly agentId: string };
    readonly answer: PolicyAnswer;
  };
  readonly 'GET policies/tenants/{tenantId}': {
    readonly path: { readonly tenantId: string };
    readonly answer: PolicyAnswer;
  };
  readonly 'GET policies/tenants/{tenantId}/agents/{agentId}': {
    readonly path: { readonly tenantId: string; readonly agentId: string };
    readonly answer: PolicyAnswer;
  };
  readonly 'GET profiles': {
    readonly query?: { readonly limit?: number; readonly cursor?: string };
    readonly answer: ProfileAnswerPage;
  };
  readonly 'GET profiles/{name}': {
    readonly path: { readonly name: string };
    readonly answer: ProfileAnswer;
  };
  readonly 'GET quarantine': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly contains?: string };
    readonly answer: QuarantinedAnswerPage;
  };
  readonly 'GET quarantine/{id}': {
    readonly path: { readonly id: string };
    readonly query?: { readonly tenantId?: string };
    readonly answer: QuarantinedDetail;
  };
  readonly 'GET reported': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly contains?: string };
    readonly answer: QuarantinedAnswerPage;
  };
  readonly 'GET runs/{runId}': {
    readonly path: { readonly runId: string };
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string };
    readonly answer: RunStepAnswerPage;
  };
  readonly 'GET search-gaps': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly since?: number };
    readonly answer: TenantGapsAnswerPage;
  };
  readonly 'GET search-gaps/queries': {
    readonly query: { readonly limit?: number; readonly cursor?: string; readonly tenantId: string; readonly kind?: GapKind };
    readonly answer: GapQueryAnswerPage;
  };
  readonly 'GET sources': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string };
    readonly answer: SourceAnswerPage;
  };
  readonly 'GET status': {
    readonly query?: { readonly tenantId?: string };
    readonly answer: StatusAnswer;
  };
  readonly 'GET tokens': {
    readonly query?: { readonly tenantId?: string; readonly since?: number };
    readonly answer: TokenTotalsAnswer;
  };
  readonly 'GET tokens/hours': {
    readonly query?: { readonly tenantId?: string; readonly since?: number; readonly until?: number };
    readonly answer: TokenHoursAnswer;
  };
  readonly 'GET tokens/sessions': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly since?: number; readonly userId?: string; readonly sessionId?: string };
    readonly answer: SessionTokensAnswerPage;
  };
  readonly 'GET user-credentials': {
    readonly query?: { readonly limit?: number; readonly cursor?: string; readonly tenantId?: string; readonly userId?: string; readonly source?: string; readonly owner?: string };
    readonly answer: UserCredentialAnswerPage;
  };
  readonly 'POST activations/sweep': {
    readonly answer: ActivationsRemoved;
  };
  readonly 'POST approvals/{id}/approve': {
    readonly path: { readonly id: string };
    readonly query?: { readonly tenantId?: string };
    readonly body: ApproveBody;
    readonly answer: ApprovalAnswer;
  };
  readonly 'POST approvals/{id}/refuse': {
    readonly path: { readonly id: string };
    readonly query?: { readonly tenantId?: string };
    readonly body: DecisionBody;
    readonly answer: ApprovalAnswer;
  };
  readonly 'POST dry-run/kill-switches': {
    readonly body: DryKillSwitchBody;
    readonly answer: DryRunAnswer;
  };
  readonly 'POST dry-run/limits': {
    readonly body: DryLimitBody;
    readonly answer: DryRunAnswer;
  };
  readonly 'POST dry-run/policies': {
    readonly body: DryPolicyBody;
    readonly answer: DryRunAnswer;
  };
  readonly 'POST example-queries/{id}/add': {
    readonly path: { readonly id: string };
    readonly body: AddQueriesBody;
    readonly answer: ToolQueriesAnswer;
  };
  readonly 'POST example-queries/{id}/rewrite': {
    readonly path: { readonly id: string };
    readonly body: ChangeBody;
    readonly answer: ToolQueriesAnswer;
  };
  readonly 'POST explain': {
    readonly body: ExplainBody;
    readonly answer: ExplanationAnswer;
  };
  readonly 'POST explain/diff': {
    readonly body: ExplainDiffBody;
    readonly answer: ExplanationDiffAnswer;
  };
  readonly 'POST explain/past': {
    readonly body: ExplainPastBody;
    readonly answer: PastExplanationAnswer;
  };
  readonly 'POST explain/states': {
    readonly body: ToolStatesBody;
    readonly answer: ToolStatesAnswer;
  };
  readonly 'POST kill-switches': {
    readonly query?: { readonly waitMs?: number };
    readonly body: EngageBody;
    readonly answer: KillSwitchChanged;
  };
  readonly 'POST kill-switches/preview': {
    readonly body: SwitchPreviewBody;
    readonly answer: BlastRadiusAnswer;
  };
  readonly 'POST kill-switches/release': {
    readonly query?: { readonly waitMs?: number };
    readonly body: ReleaseTargetBody;
    readonly answer: KillSwitchChanged;
  };
  readonly 'POST kill-switches/{id}/release': {
    readonly path: { readonly id: string };
    readonly query?: { readonly waitMs?: number };
    readonly body: ReleaseBody;
    readonly answer: KillSwitchChanged;
  };
  readonly 'POST previews/diff': {
    readonly body: ViewDiffBody;
    readonly answer: ViewDiffAnswer;
  };
  readonly 'POST previews/search': {
    readonly body: SearchPreviewBody;
    readonly answer: SearchPreviewAnswer;
  };
  readonly 'POST previews/surface': {
    readonly body: SurfacePreviewBody;
    readonly answer: SurfacePreviewAnswer;
  };
  readonly 'POST profiles/{name}/preflight': {
    readonly path: { readonly name: string };
    readonly body: PreflightBody;
    readonly answer: PreflightAnswer;
  };
  readonly 'POST quarantine/approve': {
    readonly body: ApproveSourceBody;
    readonly answer: VerdictsAnswer;
  };
  readonly 'POST quarantine/{id}/approve': {
    readonly path: { readonly id: string };
    readonly query?: { readonly tenantId?: string };
    readonly body: ChangeBody;
    readonly answer: VerdictAnswer;
  };
  readonly 'POST quarantine/{id}/reject': {
    readonly path: { readonly id: string };
    readonly query?: { readonly tenantId?: string };
    readonly body: ChangeBody;
    readonly answer: VerdictAnswer;
  };
  readonly 'POST sources/{name}/reload': {
    readonly path: { readonly name: string };
    readonly body: ReloadBody;
    readonly answer: SourceAnswer;
  };
  readonly 'PUT deprecations/{tool}': {
    readonly path: { readonly tool: string };
    readonly body: SetDeprecationBody;
    readonly answer: DeprecationAnswer;
  };
  readonly 'PUT example-queries/{id}': {
    readonly path: { readonly id: string };
    readonly body: SetQueriesBody;
    readonly answer: ToolQueriesAnswer;
  };
  readonly 'PUT limits/{id}': {
    readonly path: { readonly id: string };
    readonly body: SetLimitBody;
    readonly answer: LimitAnswer;
  };
  readonly 'PUT policies/agents/{agentId}': {
    readonly path: { readonly agentId: string };
    readonly body: SetPolicyBody;
    readonly answer: PolicySetAnswer;
  };
  readonly 'PUT policies/tenants/{tenantId}': {
    readonly path: { readonly tenantId: string };
    readonly body: SetPolicyBody;
    readonly answer: PolicySetAnswer;
  };
  readonly 'PUT policies/tenants/{tenantId}/agents/{agentId}': {
    readonly path: { readonly tenantId: string; readonly agentId: string };
    readonly body: SetPolicyBody;
    readonly answer: PolicySetAnswer;
  };
  readonly 'PUT profiles/{name}': {
    readonly path: { readonly name: string };
    readonly body: SetProfileBody;
    readonly answer: ProfileAnswer;
  };
}
