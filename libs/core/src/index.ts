// Any new export here becomes public API. Named exports only.
export type { JsonObject, JsonSchema, JsonValue } from './json/json.js';
export { deepFreeze, depthOf, isInheritedKey, isObject, POISONED_KEYS, poisonedKey } from './json/json.js';
export { checkJsonText, type JsonLimits } from './tool/json-limits.js';
export type {
  InputCheck,
  InputIssue,
  Loading,
  SideEffects,
  ToolContent,
  ToolDeclaration,
  ToolDefinition,
  ToolExample,
  ToolInputValidator,
  ToolOutput,
} from './tool/tool-definition.js';
export { SIDE_EFFECTS } from './tool/tool-definition.js';
export { hasControlCharacters } from './json/safe-text.js';
export { type ToolContext, toolContext } from './tool/tool-context.js';
export {
  isToolSearchError,
  TOOL_SEARCH_ERROR_CODES,
  ToolSearchError,
  type ToolSearchErrorCode,
} from './tool/tool-search.error.js';
export { providerFault } from './catalog/schema/schema-projection.js';
export {
  contentText,
  CUT_NOTE,
  failure,
  failureObject,
  failureOf,
  resultText,
  type ToolFailure,
  type ToolResult,
} from './tool/tool-result.js';
export type {
  ChangePolicy,
  LoadOptions,
  SourceAnswer,
  SourceLimits,
  ToolCall,
  ToolProgress,
  ToolSource,
} from './tool/tool-source.js';
export { toOutput } from './tool/tool-source.js';
export { jsonSchemaValidator } from './tool/schema/tool-schema.js';
export { globMatches, globSet, META_TOOL_NAMES, wireName } from './tool/tool-name.js';
export { ToolSet } from './tool/snapshot/tool-set.js';
export { CatalogSnapshot } from './tool/snapshot/catalog-snapshot.js';
export type { IndexLaw } from './tool/snapshot/index-law.js';
export { type Decision, type Layer, LAYERS, type LayerVerdict } from './tool/decision.js';
export {
  type ActivationReason,
  type NewToolEvent,
  type SearchType,
  type ToolEvent,
  type ToolEventOf,
  ToolEvents,
} from './tool/tool-event.js';
export { redactedText } from './catalog/ingest/secret-shapes.js';
export { atOnce, TimeSlicer } from './async/time-slicer.js';
export { type TracedOutcome, type TracedWork, ToolTracing } from './tool/tool-tracing.js';
export { checkedQuery } from './search/query-bounds.js';
export type { EngineOptions } from './search/assemble-tool-index.js';
export { type DenseOptions, FusedToolIndex, type FusedToolIndexParts } from './search/dense/fused-tool-index.js';
export type { Embedder } from './search/embedder.js';
export type {
  CatalogChange,
  PatternField,
  ScorePart,
  SearchAnswer,
  SearchHit,
  ToolIndex,
  ToolQuery,
} from './search/tool-index.js';
export { SearchCache } from './search/search-cache.js';
export { isScan, type ScanQuery, scanSearch } from './search/scan-search.js';
export { analysisStamp } from './search/text/analysis-stamp.js';
export { type FieldTerms, fieldTerms } from './search/text/field-terms.js';
export { FIELD_WEIGHTS, type FieldWeight } from './search/text/field-weights.js';
export { type QueryTerm, type QueryTerms, queryTerms } from './search/text/query-terms.js';
export { type ToolText, toolText } from './search/text/tool-text.js';
export {
  activationCursor,
  activationKey,
  type ActivationKey,
  activationStart,
  isWithinFilter,
} from './activation/activation-cursor.js';
export { type ActivationFilter, activationMatches } from './activation/activation-filter.js';
export type { ActivationOptions } from './activation/activation-options.js';
export {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationPage,
  type ActivationRecord,
  type ActivationScope,
  type ActivationStats,
  ActivationStore,
  type HeldActivation,
  type NewActivation,
  USE_PRECISION_MS,
} from './activation/activation-store.js';
export { applyLimits } from './activation/apply-limits.js';
export { MemoryActivationStore } from './activation/memory-activation-store.js';
export { MemoryPausedRunStore } from './activation/runs/memory-paused-run-store.js';
export {
  MAX_PAUSED_RUNS,
  type PausedRun,
  PausedRunStore,
  type PausedTool,
  type RunKey,
} from './activation/runs/paused-run-store.js';
export type { Drift, ToolDrift } from './activation/runs/run-drift.js';
export { ToolActivations } from './activation/tool-activations.js';
export {
  type AuditEntry,
  type AuditHead,
  type BrokenChain,
  brokenLink,
  nextEntry,
  NO_AUDIT,
} from './access/control/audit-entry.js';
export { type AuditNote, AuditTrail, type AuditVerdict, type KnownHead } from './access/control/audit-trail.js';
export type { RecordFault } from './access/control/record-check.js';
export type { ControlHealth } from './access/control/control-health.js';
export { type ControlOptions, ControlPlane } from './access/control/control-plane.js';
export type { Propagation } from './access/control/propagation-watch.js';
export type { ControlSnapshot } from './access/control/control-snapshot.js';
export {
  type AuditFilter,
  type ControlChange,
  type ControlInstance,
  type ControlKind,
  type ControlOutcome,
  type ControlRecord,
  type ControlState,
  ControlStore,
  type NewControlRecord,
  type OpenLimits,
  type Page,
} from './access/control/control-store.js';
export { MemoryControlStore } from './access/control/memory-control-store.js';
export {
  KILL_SWITCH_KINDS,
  type KillSwitch,
  killSwitchId,
  type KillSwitchTarget,
  killSwitchTarget,
  targetMeets,
} from './access/kill-switches/kill-switch.js';
export type { KillSwitchSet } from './access/kill-switches/kill-switch-set.js';
export { type EngageRequest, KillSwitches, type KillSwitchReceipt } from './access/kill-switches/kill-switches.js';
export type { FilterPhase, Narrowing, NarrowOptions } from './access/narrowing.js';
export type { OperatorRequest } from './access/control/operator-request.js';
export type { QuarantineVerdict } from './access/quarantine/quarantine.js';
export { policyKey, type PolicyOwner, type StoredPolicy } from './access/policies/stored-policy.js';
export { StoredPolicies } from './access/policies/stored-policies.js';
export type { Approval } from './access/approvals/approval.js';
export { type ApprovalOptions, ToolApprovals } from './access/approvals/tool-approvals.js';
export {
  type AcceptedDefinitions,
  type QuarantinedTool,
  type SourceApproval,
  ToolQuarantine,
} from './access/quarantine/tool-quarantine.js';
export type { DefinitionChange } from './tool/definition-change.js';
export { type Caller, callerOf, type GateAnswer, ToolGate } from './access/tool-gate.js';
export { ToolPolicies } from './access/policies/tool-policies.js';
export type { ToolPolicy } from './access/policies/tool-policy.js';
export type { ToolVisibilityPolicy } from './access/visibility-policy.js';
export {
  type AcceptedTool,
  type DefinitionPin,
  DefinitionStore,
  type PinChange,
  type SourceKey,
  type SourcePins,
} from './catalog/pinning/definition-store.js';
export { MemoryDefinitionStore } from './catalog/pinning/memory-definition-store.js';
export { type CatalogOptions, ToolCatalog } from './catalog/tool-catalog.js';
export type { SourceStatus } from './catalog/loading/source-feed.js';
export type { Amendment, Refusal } from './catalog/ingest/ingest.js';
export {
  byLastUse,
  type LearnedQuery,
  LearnedQueryStore,
  type LearningLimits,
} from './search/learned/learned-query-store.js';
export { LearnedOverlay, type LearnedPosting } from './search/learned/learned-overlay.js';
export { MemoryLearnedQueryStore } from './search/learned/memory-learned-query-store.js';
export { MemoryToolIndex, type MemoryToolIndexOptions } from './search/memory/memory-tool-index.js';
export {
  DefinitionTokens,
  estimateTokens,
  type TokenCounter,
  type TokenizerName,
  type TokenMeter,
} from './tool/token-count.js';
export type { ToolNaming } from './tool/tool-naming.js';
export type {
  ActivateReply,
  CompactReply,
  FoundTool,
  GetReply,
  PauseReceipt,
  QueryVerdict,
  ResumeReply,
  RunState,
  SearchReply,
} from './toolbox/meta-tools/replies.js';
export { ON_DRIFT, type OnDrift, type ResumeOptions, type RunOptions, RunPauses } from './toolbox/runs/run-pauses.js';
export { Toolbox } from './toolbox/toolbox.js';
export type { TenantSourceOptions, TenantSourceParts } from './toolbox/tenants/tenant-source-options.js';
export { TenantSources } from './toolbox/tenants/tenant-sources.js';
export type { ToolboxServices } from './toolbox/toolbox-services.js';
export { type Explanation, explanationDiff, type ExplanationDiff } from './toolbox/explanation.js';
export { SearchGaps, type SearchGapOptions } from './toolbox/analytics/search-gaps.js';
export {
  addedGaps,
  byUses,
  GAP_COUNTS,
  type GapCounts,
  type GapEntry,
  type GapFilter,
  type GapKind,
  type GapQuery,
  type GapQueryEntry,
  SearchGapStore,
  type TenantGaps,
} from './search/gaps/search-gap-store.js';
export { MemorySearchGapStore } from './search/gaps/memory-search-gap-store.js';
export { type LedgerOptions, TokenLedger, type TokenTotals } from './exposure/ledger/token-ledger.js';
export {
  LEDGER_COUNTS,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPlace,
  type LedgerSession,
  type SessionTokens,
  TokenLedgerStore,
} from './exposure/ledger/token-ledger-store.js';
export { MemoryTokenLedgerStore } from './exposure/ledger/memory-token-ledger-store.js';
export type { TokenizerOptions } from './exposure/ledger/lazy-tokenizer.js';
export { LearnedQueries, type LearningOptions } from './toolbox/analytics/learned-queries.js';
export type { DescribedTool, DescribeOptions, ExampleOptions } from './toolbox/search/described-tool.js';
export type {
  DeferringMode,
  ExposureChoice,
  ExposureMode,
  ExposureOption,
  ExposureReason,
  ExposureRule,
  LeftOutTool,
  ListedTool,
  MetaTool,
  PromptParts,
  Surface,
  SurfaceRequest,
} from './toolbox/surface/surface.js';
export type { MetaNames } from './toolbox/meta-tools/meta-names.js';
export type { MetaKind } from './toolbox/meta-tools/meta-tool-spec.js';
export type { FinderOptions } from './toolbox/search/tool-finder.js';
export type { SearchRequest } from './toolbox/search/search-request.js';
export type { CallOptions, RunnerOptions } from './toolbox/calls/tool-runner.js';
export type { DirectoryDetail, DirectoryLevel, DirectoryOptions } from './exposure/prompt/directory.js';
export type { ToolGroup } from './exposure/prompt/directory-groups.js';
export type { PresetName } from './exposure/presets/presets.js';
export type { ExposureOptions, HintOptions } from './exposure/prompt/prompt-exposure.js';
export { CodeSource, type CodeSourceOptions } from './nest/tools/code.source.js';
export { type CodeTool, type CodeToolOptions, defineTool } from './nest/decorators/define-tool.js';
export type { PlainSchema } from './nest/tools/tool-input.js';
export { type Problem, problemOf, statusOf, ToolSearchErrorFilter } from './nest/request/error.filter.js';
export { checkJsonBody, type JsonBodyOptions } from './nest/request/json-body.js';
export { checkKeys } from './nest/module/known-keys.js';
export { linkRequest, requestOf } from './nest/request/request-link.js';
export type { IncomingMessage } from './nest/request/incoming.js';
export { RequiresTool } from './nest/decorators/requires-tool.decorator.js';
export type { ToolRequirement } from './nest/decorators/tool-requirement.js';
export { RequestToolbox } from './nest/decorators/request-toolbox.decorator.js';
export { Tool, type ToolHandler, type ToolInputOf, type ToolOptions } from './nest/decorators/tool.decorator.js';
export type { ToolSchema } from './nest/decorators/tool.decorator.js';
export { toolOutput } from './nest/tools/tool-output.js';
export { toolCallOf, type ToolExecution } from './nest/tools/tool-pipeline.js';
export { type ToolSearchFeature, ToolSearchModule } from './nest/module/tool-search.module.js';
export type { SourceOption, ToolSearchModuleOptions } from './nest/module/tool-search.options.js';
export { toolRoutesOf } from './nest/request/tool-routes.js';
export { ToolSearchService } from './nest/module/tool-search.service.js';
export { VisibilityPolicy } from './nest/decorators/visibility-policy.decorator.js';
