// Any new export here becomes public API. Named exports only.
export type { JsonObject, JsonSchema, JsonValue } from './tool/json.js';
export { deepFreeze, depthOf, isObject, poisonedKey } from './tool/json.js';
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
export { globMatches, globSet, wireName } from './tool/tool-name.js';
export { ToolSet } from './tool/tool-set.js';
export { CatalogSnapshot } from './tool/catalog-snapshot.js';
export type { Decision, Layer } from './tool/decision.js';
export {
  type ActivationReason,
  type NewToolEvent,
  type SearchType,
  type ToolEvent,
  type ToolEventOf,
  ToolEvents,
} from './tool/tool-event.js';
export type { CatalogChange, SearchAnswer, SearchHit, ToolIndex, ToolQuery } from './search/tool-index.js';
export {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationScope,
  ActivationStore,
  type NewActivation,
} from './activation/activation-store.js';
