// Any new export here becomes public API. Named exports only.
export type { JsonObject, JsonSchema, JsonValue } from './tool/json.js';
export { deepFreeze, depthOf, isObject, POISONED_KEYS, poisonedKey } from './tool/json.js';
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
export { type ToolContext, toolContext } from './tool/tool-context.js';
export {
  isToolSearchError,
  TOOL_SEARCH_ERROR_CODES,
  ToolSearchError,
  type ToolSearchErrorCode,
} from './tool/tool-search.error.js';
export { contentText, failure, failureOf, type ToolFailure, type ToolResult } from './tool/tool-result.js';
export type { SourceAnswer, SourceLimits, ToolCall, ToolProgress, ToolSource } from './tool/tool-source.js';
export { toOutput } from './tool/tool-source.js';
export { globMatches, globSet, META_TOOL_NAMES, wireName } from './tool/tool-name.js';
export { ToolSet } from './tool/tool-set.js';
export { CatalogSnapshot } from './tool/catalog-snapshot.js';
export type { IndexLaw } from './tool/index-law.js';
export type { Decision, Layer } from './tool/decision.js';
export {
  type ActivationReason,
  type NewToolEvent,
  type SearchType,
  type ToolEvent,
  type ToolEventOf,
  ToolEvents,
} from './tool/tool-event.js';
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
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationScope,
  ActivationStore,
  type NewActivation,
} from './activation/activation-store.js';
export { admit } from './activation/admit.js';
export { MemoryActivationStore } from './activation/memory-activation-store.js';
export { type ActivationOptions, ToolActivations } from './activation/tool-activations.js';
export { type GateAnswer, ToolGate } from './access/tool-gate.js';
export { ToolPolicies } from './access/tool-policies.js';
export type { ToolPolicy } from './access/tool-policy.js';
export type { ToolVisibilityPolicy } from './access/visibility-policy.js';
export { type CatalogOptions, ToolCatalog } from './catalog/tool-catalog.js';
export type { SourceStatus } from './catalog/source-feed.js';
export type { Refusal } from './catalog/ingest.js';
export {
  byLastUse,
  type LearnedQuery,
  LearnedQueryStore,
  type LearningLimits,
} from './search/learned/learned-query-store.js';
export { LearnedOverlay, type LearnedPosting } from './search/learned/learned-overlay.js';
export { MemoryLearnedQueryStore } from './search/learned/memory-learned-query-store.js';
export { MemoryToolIndex, type MemoryToolIndexOptions } from './search/memory/memory-tool-index.js';
export { DefinitionTokens, estimateTokens, type TokenCounter } from './tool/token-count.js';
export type { ActivateReply, FoundTool, GetReply, QueryVerdict, SearchReply } from './toolbox/replies.js';
export { Toolbox, type ToolboxServices } from './toolbox/toolbox.js';
export { LearnedQueries, type LearningOptions } from './toolbox/learned-queries.js';
export type { DescribedTool, DescribeOptions, ExampleOptions } from './toolbox/described-tool.js';
export type { ExposureMode, ListedTool, MetaTool, PromptParts, Surface, SurfaceRequest } from './toolbox/surface.js';
export type { FinderOptions } from './toolbox/tool-finder.js';
export type { SearchRequest } from './toolbox/search-request.js';
export type { CallOptions, RunnerOptions } from './toolbox/tool-runner.js';
export type { DirectoryOptions, ToolGroup } from './exposure/directory.js';
export type { ExposureOption } from './exposure/exposure-mode.js';
export type { ExposureOptions, HintOptions } from './exposure/prompt-exposure.js';
export { type Problem, problemOf, statusOf, ToolSearchErrorFilter } from './nest/error.filter.js';
export { linkRequest, requestOf } from './nest/request-link.js';
export { RequestToolbox } from './nest/request-toolbox.decorator.js';
export { Tool, type ToolHandler, type ToolInputOf, type ToolOptions } from './nest/tool.decorator.js';
export type { ToolSchema } from './nest/tool.decorator.js';
export { toolOutput } from './nest/tool-output.js';
export { toolCallOf, type ToolExecution } from './nest/tool-pipeline.js';
export { type ToolSearchFeature, ToolSearchModule } from './nest/tool-search.module.js';
export type { SourceOption, ToolSearchModuleOptions } from './nest/tool-search.options.js';
export { ToolSearchService } from './nest/tool-search.service.js';
export { VisibilityPolicy } from './nest/visibility-policy.decorator.js';
