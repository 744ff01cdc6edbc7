// For authors of an operators’ API: the records and rules behind kill switches, policies, approvals and the audit trail.
export {
  type CredentialRevocation,
  type CredentialStatus,
  UserCredentials,
} from './access/user-credentials/user-credentials.js';
export type { Approval } from './access/approvals/approval.js';
export type { AuditVerdict } from './access/control/audit-trail.js';
export type { ControlHealth } from './access/control/control-health.js';
export type { ControlSnapshot } from './access/control/control-snapshot.js';
export { invalidRequest } from './access/control/invalid-request.js';
export type { OperatorRequest } from './access/control/operator-request.js';
export type { RecordFault } from './access/control/record-check.js';
export {
  LIMIT_DIMENSIONS,
  type GivenLimit,
  type LimitDimension,
  type StoredLimit,
  type ToolLimit,
} from './access/limits/limit.js';
export type { StoredDeprecation } from './access/deprecations/deprecation-set.js';
export type { StoredCanary } from './access/canaries/canary-set.js';
export { type CanaryShare, type CanaryStatus, ToolCanaries } from './access/canaries/tool-canaries.js';
export { ToolDeprecations } from './access/deprecations/tool-deprecations.js';
export type { Deprecation } from './tool/deprecation.js';
export type { LimitUsage } from './access/limits/call-limits.js';
export type { NamedCounter } from './access/limits/limit-set.js';
export { limitKey, type LimitStatus, ToolLimits } from './access/limits/tool-limits.js';
export type { EngageRequest, KillSwitchReceipt } from './access/kill-switches/kill-switches.js';
export { type PolicyOwner, type StoredPolicy, policyKey } from './access/policies/stored-policy.js';
export {
  type ActiveProfile,
  type GivenProfile,
  profileName,
  profileOptions,
  scope,
  type StoredProfile,
  type ToolProfile,
} from './access/profiles/profile.js';
export { type DeclaredProfiles, type ProfileStatus, ToolProfiles } from './access/profiles/tool-profiles.js';
export { narrowedToProfile } from './toolbox/profiles/narrowed-to-profile.js';
export type { NeededTool, Preflight, Readiness } from './toolbox/profiles/preflight.js';
export type { QuarantineVerdict } from './access/quarantine/quarantine.js';
export type { QuarantinedTool, SourceApproval } from './access/quarantine/tool-quarantine.js';
export type { ReportedTool } from './catalog/loading/source-feed.js';
export { checkedPolicy } from './access/policies/stored-policies.js';
export { policyRefusal } from './access/policies/tool-policy.js';
export { LAYERS, type LayerVerdict } from './tool/decision.js';
export type { OperatorScope } from './tool/tool-context.js';
export { explanationDiff, type ExplanationDiff } from './toolbox/explanation.js';
export { killSwitchId, killSwitchTarget, targetMeets, KILL_SWITCH_KINDS } from './access/kill-switches/kill-switch.js';
export type { DefinitionChange } from './tool/definition-change.js';
export type { TokenTotals } from './exposure/ledger/token-ledger.js';
export type { ToolDrift } from './activation/runs/run-drift.js';
export type { Refusal } from './catalog/ingest/ingest.js';
export { CachedResults } from './toolbox/results/cache/cached-results.js';
export { PastDecisions } from './toolbox/past/past-decisions.js';
export type { PastExplanation, PastLayer } from './toolbox/past/past-explanation.js';
export { DryRun, type DryRunOptions } from './toolbox/dry-run/dry-run.js';
export type {
  DryRunEffect,
  DryRunExample,
  DryRunGroup,
  DryRunReport,
  Evidence,
} from './toolbox/dry-run/dry-run-report.js';
export { COST_GROUPS, type CostQuestion, type TokenCost, type TokenCosts } from './toolbox/record/token-costs.js';
export { ToolCallRecords } from './toolbox/record/tool-call-records.js';
export { type WaitingCall, waitingCall } from './toolbox/record/waiting-call.js';
export { SourceQueue, type QueuedCall, type SourceLoad } from './toolbox/calls/source-queue.js';
export { enrich, type EnrichReport, type EnrichSetup } from './runtime/enrich.js';
export { ExampleQueries } from './toolbox/example-queries/example-queries.js';
export type { ToolQueries, WritingSpend, WritingStatus } from './toolbox/example-queries/tool-queries.js';
export type { SearchPreview, SurfacePreview, ToolPreview } from './runtime/tool-preview.js';
