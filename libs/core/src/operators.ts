// For authors of an operators’ API: the records and rules behind kill switches, policies, approvals and the audit trail.
export type { Approval } from './access/approvals/approval.js';
export type { AuditVerdict } from './access/control/audit-trail.js';
export type { ControlHealth } from './access/control/control-health.js';
export type { ControlSnapshot } from './access/control/control-snapshot.js';
export type { OperatorRequest } from './access/control/operator-request.js';
export type { RecordFault } from './access/control/record-check.js';
export type { EngageRequest, KillSwitchReceipt } from './access/kill-switches/kill-switches.js';
export { type PolicyOwner, type StoredPolicy, policyKey } from './access/policies/stored-policy.js';
export type { QuarantineVerdict } from './access/quarantine/quarantine.js';
export type { QuarantinedTool, SourceApproval } from './access/quarantine/tool-quarantine.js';
export type { ReportedTool } from './catalog/loading/source-feed.js';
export { LAYERS, type LayerVerdict } from './tool/decision.js';
export { explanationDiff, type ExplanationDiff } from './toolbox/explanation.js';
export { killSwitchId, killSwitchTarget, targetMeets, KILL_SWITCH_KINDS } from './access/kill-switches/kill-switch.js';
export type { DefinitionChange } from './tool/definition-change.js';
export type { TokenTotals } from './exposure/ledger/token-ledger.js';
export type { ToolDrift } from './activation/runs/run-drift.js';
export type { Refusal } from './catalog/ingest/ingest.js';
export {
  ExampleQueries,
  type ToolQueries,
  type WritingSpend,
  type WritingStatus,
} from './toolbox/example-queries/example-queries.js';
