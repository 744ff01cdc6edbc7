// For authors of stores: the ports, the records they keep, and the rules that every store shares.
export { activationCursor, activationKey, activationStart, isWithinFilter } from './activation/activation-cursor.js';
export { type ActivationFilter, activationMatches } from './activation/activation-filter.js';
export {
  type ActivationRecord,
  type ActivationStats,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationPage,
  type ActivationScope,
  type HeldActivation,
  type NewActivation,
  type Activation,
  ActivationStore,
  USE_PRECISION_MS,
} from './activation/activation-store.js';
export { applyLimits } from './activation/apply-limits.js';
export { MAX_PAUSED_RUNS, type PausedRun, type RunKey, PausedRunStore } from './toolbox/runs/paused-run-store.js';
export {
  ASKED_KINDS,
  ControlStore,
  type ControlChange,
  type ControlInstance,
  type ControlKind,
  type ControlOutcome,
  type ControlRecord,
  type ControlState,
  type NewControlRecord,
  type OpenLimits,
  type Page,
  type AuditFilter,
} from './access/control/control-store.js';
export { type CounterChange, LimitStore } from './access/limits/limit-store.js';
export { type AuditEntry, type AuditHead, nextEntry, NO_AUDIT } from './access/control/audit-entry.js';
export {
  DefinitionStore,
  type PinChange,
  type SourcePins,
  type SourceKey,
  type AcceptedTool,
} from './catalog/pinning/definition-store.js';
export {
  LearnedQueryStore,
  type LearnedQuery,
  type LearningLimits,
  byLastUse,
} from './search/learned/learned-query-store.js';
export {
  addedCosts,
  ExampleQueryStore,
  NO_COSTS,
  type QueryClaim,
  type QueryClaimOutcome,
  type QueryResult,
  roomFor,
  type WritingCosts,
  type WrittenQueries,
} from './toolbox/example-queries/example-query-store.js';
export { MemoryLearnedQueryStore } from './search/learned/memory-learned-query-store.js';
export {
  SearchGapStore,
  type GapKind,
  type GapEntry,
  type GapFilter,
  type GapQuery,
  type GapQueryEntry,
  type TenantGaps,
  byUses,
} from './toolbox/search-gaps/search-gap-store.js';
export {
  TokenLedgerStore,
  type LedgerEntry,
  type LedgerFilter,
  type HourTokens,
  type SessionTokens,
  LEDGER_COUNTS,
} from './exposure/ledger/token-ledger-store.js';
export {
  HeldResultStore,
  type HeldLimits,
  type HeldResult,
  type ResultHolder,
} from './toolbox/results/held/held-result-store.js';
export { type CallFilter, type CallRecord, type CallSum, idFrom } from './toolbox/record/call-record.js';
export { type CallGroup, SPEED_BOUNDS_MS } from './toolbox/record/call-groups.js';
export {
  MAX_GROUPS,
  MAX_SUMS,
  type CallPage,
  type CallRetention,
  ToolCallStore,
} from './toolbox/record/tool-call-store.js';
export {
  type ConnectAttempt,
  type CredentialFilter,
  credentialId,
  type CredentialKey,
  type StoredCredential,
  UserCredentialStore,
} from './access/user-credentials/user-credential-store.js';
export { SearchCache } from './search/search-cache.js';
export { type CacheEntry, ResultCache } from './toolbox/results/cache/result-cache.js';
