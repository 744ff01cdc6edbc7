// What the packages of this repository share, and nothing that is promised: it may change in every release. All packages
// have one version, so they always meet the one that they were built with.
export { CallersCircuit } from './async/callers-circuit.js';
export { type Attempt, CircuitOpenError, MAX_FAILURES, type Outcome, type Verdict } from './async/circuit-breaker.js';
export { Deadline, DeadlineError, withDeadline, withLinkedSignal } from './async/deadline.js';
export { atOnce, TimeSlicer } from './async/time-slicer.js';
export type { CallFigures } from './toolbox/record/call-figures.js';
export { CallOverview } from './toolbox/record/overview/call-overview.js';
export type { CallOverviewAnswer } from './toolbox/record/overview/overview-answer.js';
export { ToolGate } from './access/tool-gate.js';
export { argumentNames, readableArgument } from './catalog/ingest/argument-names.js';
export { credentialsIn, redactedText } from './catalog/ingest/secret-shapes.js';
export { addTo } from './collections/records.js';
export { TenantFairLru } from './collections/tenant-fair-lru.js';
export { TenantShares } from './collections/tenant-shares.js';
export { egressOptions, AddressRules } from './egress/address-rules.js';
export { referenceKeys } from './json/json-pointer.js';
export { isObject, parsedJson, depthOf, poisonedKey, POISONED_KEYS, isInheritedKey } from './json/json.js';
export { limitsOptions } from './access/limits/limits-options.js';
export { truncated, hasControlCharacters, safeText } from './json/safe-text.js';
export { listedReadings, uriReadings } from './json/uri-readings.js';
export { StorePlace } from './nest/module/store-providers.js';
export { moduleOptions, type SourceOption, type ToolSearchFeature } from './nest/module/tool-search.options.js';
export { toolRoutesOf } from './nest/request/tool-routes.js';
export {
  allowed,
  bare,
  defaultOf,
  described,
  eachOption,
  flag,
  func,
  list,
  neverUndefined,
  object,
  oneOf,
  type OptionsOf,
  part,
  record,
  retired,
  rule,
  type SettingsOf,
  someOf,
  text,
  value,
  whole,
  withDefaults,
} from './options/options.js';
export { parseOptions } from './options/parse-options.js';
export { isTime } from './tool/deprecation.js';
export { checkJsonText } from './tool/json-limits.js';
export { hasRemoved } from './tool/source/removed-credential.js';
export {
  areExamples,
  areHeaders,
  areTexts,
  changes,
  glob,
  loading,
  milliseconds,
  remoteSourceOptions,
  sideEffects,
  sourceLimits,
  sourceName,
  withoutTuning,
  type SourceLimits,
} from './tool/source/source-options.js';
export {
  estimateTokens,
  DefinitionTokens,
  type TokenCounter,
  type TokenizerName,
  TOKENIZERS,
} from './tool/token-count.js';
export { checkArgumentsText } from './toolbox/call/check-arguments.js';
export { argumentsDigest, readArguments } from './toolbox/call/arguments-digest.js';
export { shownArguments } from './toolbox/call/shown-arguments.js';
export { redactionOptions } from './toolbox/results/redaction/result-redaction.js';
export { unknownArguments } from './access/arguments/unknown-arguments.js';
export { brokenLink, type BrokenChain } from './access/control/audit-entry.js';
export type { ControlKinds } from './access/control/control-kind.js';
export { APPROVAL_STATUSES } from './access/approvals/approval.js';
export { MAX_RECEIPTS } from './activation/messages/receipt.js';
export { invalidRequest } from './access/control/invalid-request.js';
export { MemoryControlStore } from './access/control/memory-control-store.js';
export type { RecordFault } from './access/control/record-check.js';
export type { StoredDecision } from './access/control/stored-decision.js';
export type { StoredDeprecation } from './access/deprecations/deprecation-set.js';
export {
  KILL_SWITCH_KINDS,
  type KillSwitch,
  killSwitchId,
  type KillSwitchTarget,
  killSwitchTarget,
  targetMeets,
} from './access/kill-switches/kill-switch.js';
export type { LimitUsage } from './access/limits/call-limits.js';
export type { NamedCounter } from './access/limits/limit-set.js';
export type { CounterUpdate } from './access/limits/limit-store.js';
export {
  type GivenLimit,
  LIMIT_DIMENSIONS,
  type LimitDimension,
  type StoredLimit,
  type ToolLimit,
} from './access/limits/limit.js';
export { MemoryLimitStore } from './access/limits/memory-limit-store.js';
export { limitKey, type LimitStatus } from './access/limits/tool-limits.js';
export { policyKey, type PolicyOwner, type StoredPolicy } from './access/policies/stored-policy.js';
export { QUARANTINE_VERDICTS, type QuarantineVerdict } from './access/quarantine/quarantine.js';
export type { QuarantinedTool, SourceApproval } from './access/quarantine/tool-quarantine.js';
export { MemoryUserCredentialStore } from './access/user-credentials/memory-user-credential-store.js';
export type { CredentialRevocation, CredentialStatus } from './access/user-credentials/user-credentials.js';
export { MemoryActivationStore } from './activation/memory-activation-store.js';
export { toolCount, type Refusal } from './catalog/ingest/ingest.js';
export type { ShownText } from './catalog/ingest/shown-texts.js';
export { type ReportedTool, SOURCE_STATES, type SourceStatus } from './catalog/loading/source-feed.js';
export { MemoryDefinitionStore } from './catalog/pinning/memory-definition-store.js';
export {
  type EgressAnswer,
  type EgressFetch,
  EgressRefused,
  type EgressRequest,
  type EgressRequestInit,
  namedLoopback,
} from './egress/egress.js';
export { traceHeaders } from './egress/trace-headers.js';
export type { PresetName } from './exposure/presets/presets.js';
export type { ToolGroup } from './exposure/prompt/directory-groups.js';
export type { DirectoryOptions } from './exposure/prompt/directory.js';
export type { ExposureOptions } from './exposure/prompt/prompt-exposure.js';
export { makePrivateFile, rightsOfOthers } from './files/private-files.js';
export type { CodeTool, CodeToolOptions } from './nest/decorators/define-tool.js';
export type { ToolRequirement } from './nest/decorators/requires-tool.decorator.js';
export type { ToolCallPolicyOptions } from './nest/decorators/tool-call-policy.decorator.js';
export type { ToolCallInterceptorOptions } from './nest/decorators/tool-call-interceptor.decorator.js';
export { type Problem, statusOf } from './nest/request/error.filter.js';
export type { PlainSchema } from './nest/tools/tool-input.js';
export { toolOutput } from './nest/tools/tool-output.js';
export type { SearchPreview, SurfacePreview, ToolPreview } from './runtime/tool-preview.js';
export type { DenseOptions, FusedToolIndexParts } from './search/dense/fused-tool-index.js';
export { WITNESSES, type Witness } from './search/search-verdict.js';
export { analysisStamp } from './search/text/analysis-stamp.js';
export { asidesIn } from './search/text/asides.js';
export { fieldTerms, type FieldTerms } from './search/text/field-terms.js';
export { FIELD_WEIGHTS } from './search/text/field-weights.js';
export { queryTerms, type QueryTerms } from './search/text/query-terms.js';
export { searchHashOf } from './search/text/search-hash.js';
export { preparingSynonyms } from './search/text/synonyms/synonyms.js';
export {
  APP_PAGE_TYPE,
  appAddress,
  appPageOf,
  APPS_EXTENSION,
  audiencesOf,
  isAppAddress,
  isForApps,
  isPageUri,
} from './tool/app-metadata.js';
export {
  type Decision,
  DECISIONS,
  EXPLAINED_LAYERS,
  type Layer,
  LAYER_VERDICTS,
  LAYERS,
  type LayerVerdict,
} from './tool/decision.js';
export { type MetaKind, type MetaNames, type ModelHint, readCallName } from './tool/meta-names.js';
export type { AuthorizationAnswer, UserAuthorizer, UserGrant, UserTokens } from './tool/source/user-authorization.js';
export { type OperatorScope, toolContext } from './tool/tool-context.js';
export {
  changesNothing,
  EXPOSED_KINDS,
  type ExposedKind,
  type InputCheck,
  type InputIssue,
  ITEM_KINDS,
  type ItemKind,
  type Loading,
  LOADINGS,
  SIDE_EFFECTS,
  type SideEffects,
  type ToolExample,
  type ToolFinding,
  type ToolInputValidator,
  type ToolOutput,
} from './tool/tool-definition.js';
export {
  ACTIVATION_REASONS,
  type ActivationReason,
  SEARCH_TYPES,
  SEARCH_VERDICTS,
  type SearchType,
  type SearchVerdict,
} from './tool/tool-event.js';
export { checkGlob, globMatches, globSet, META_TOOL_NAMES, type ToolNaming } from './tool/tool-name.js';
export { CUT_NOTE, lossNotes } from './tool/tool-result.js';
export type { ChangePolicy, InspectionMode, LeftOut, ToolProgress } from './tool/tool-source.js';
export type { QueuedCall, SourceLoad } from './toolbox/call/source-queue.js';
export type {
  DryRunEffect,
  DryRunExample,
  DryRunGroup,
  DryRunReport,
  Evidence,
} from './toolbox/dry-run/dry-run-report.js';
export type { DryRunOptions } from './toolbox/dry-run/dry-run.js';
export { MemoryExampleQueryStore } from './toolbox/example-queries/memory-example-query-store.js';
export { descriptionHash, type QueriesOfTool, type QueryCatalog } from './toolbox/example-queries/query-catalog.js';
export type { ToolQueries, WritingSpend, WritingStatus } from './toolbox/example-queries/tool-queries.js';
export type { QueryPrompt } from './toolbox/example-queries/writing/query-prompt.js';
export type { Explanation, ExplanationDiff } from './toolbox/explanation.js';
export type { CompactReply, QueryVerdict, RunState } from './toolbox/meta-tools/replies.js';
export { narrowedToProfile } from './toolbox/profiles/narrowed-to-profile.js';
export type { NeededTool, Readiness } from './toolbox/profiles/preflight.js';
export {
  type ActiveProfile,
  type GivenProfile,
  profileName,
  profileOptions,
  scope,
  type StoredProfile,
  type ToolProfile,
} from './toolbox/profiles/profile.js';
export type { DeclaredProfiles, ProfileStatus } from './toolbox/profiles/tool-profiles.js';
export { CALL_KINDS, type CallKind } from './toolbox/record/call-record.js';
export { MemoryToolCallStore } from './toolbox/record/memory-tool-call-store.js';
export type { PastExplanation, PastLayer } from './toolbox/record/past-decisions.js';
export { COST_GROUPS, type CostQuestion, type TokenCost, type TokenCosts } from './toolbox/record/token-costs.js';
export { type WaitingCall, waitingCall } from './toolbox/record/waiting-call.js';
export { MemoryResultCache, type ResultCacheBounds } from './toolbox/results/cache/memory-result-cache.js';
export { MemoryHeldResultStore } from './toolbox/results/held/memory-held-result-store.js';
export { markedResult } from './toolbox/results/marking/result-marking.js';
export { ON_DRIFT, type OnDrift, type ResumeOptions } from './toolbox/runs/run-pauses.js';
export { GAP_KINDS, type GapCounts } from './toolbox/search-gaps/search-gap-store.js';
export type { DescribedTool, DescribeOptions } from './toolbox/search/described-tool.js';
export {
  EXPOSURE_MODES,
  type ExposureChoice,
  type ExposureMode,
  type LeftOutTool,
  type PromptParts,
} from './toolbox/surface/surface.js';
export type { ArgumentRule } from './access/arguments/argument-rule.js';
export type { AuditVerdict } from './access/control/audit-trail.js';
export { CONTROL_STATES, type ControlHealth } from './access/control/control-health.js';
export type { ControlSnapshot } from './access/control/control-snapshot.js';
export type { EngageRequest, KillSwitchReceipt } from './access/kill-switches/kill-switches.js';
export type { CounterState, StoredCounter } from './access/limits/counter.js';
export { verdictKind } from './access/quarantine/verdict-kind.js';
export type { ActivationKey } from './activation/activation-cursor.js';
export type { DefinitionPin } from './catalog/pinning/definition-store.js';
export type { LedgerCounts, LedgerPlace } from './exposure/ledger/token-ledger-store.js';
export type { TokenTotals } from './exposure/ledger/token-ledger.js';
export type { CodeSourceOptions } from './nest/tools/code.source.js';
export type { EnrichReport, EnrichSetup } from './runtime/enrich.js';
export type { ScanQuery } from './search/scan-search.js';
export type { ToolText } from './search/text/tool-text.js';
export { PATTERN_FIELDS, type PatternField, type ScorePart } from './search/tool-index.js';
export type { DefinitionChange } from './tool/definition-change.js';
export type { StatisticsScope } from './tool/snapshot/statistics-scope.js';
export type { CallerInput, InputMethod, InputRequest, ToolLogEntry } from './tool/source/caller-input.js';
export {
  ToolTracing,
  type TracedOutcome,
  type TracedWait,
  type TracedWork,
  type TraceReader,
} from './tool/tool-tracing.js';
export type { CallOptions } from './toolbox/call/call-options.js';
export type { QuerySubject, WritingLimits } from './toolbox/example-queries/example-query-store.js';
export { PAUSED_STATES, type PausedTool } from './toolbox/runs/paused-run-store.js';
export { DRIFTS, type ToolDrift } from './toolbox/runs/run-drift.js';
