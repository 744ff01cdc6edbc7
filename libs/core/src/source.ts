// For authors of tool sources: JSON, globs, schemas, options and time slicing.
export type { CanaryDeclaration } from './tool/canary.js';
export { isTime } from './tool/deprecation.js';
export { isObject, parsedJson, depthOf, poisonedKey, POISONED_KEYS, isInheritedKey } from './json/json.js';
export { referenceKeys } from './json/json-pointer.js';
export { checkGlob, globMatches, globSet } from './tool/tool-name.js';
export type { InspectedTool, ToolInspector } from './catalog/inspection/tool-inspector.js';
export { phraseInspector } from './catalog/inspection/phrase-inspector.js';
export { type ShownText, shownTexts } from './catalog/ingest/shown-texts.js';
export { credentialsIn, redactedText } from './catalog/ingest/secret-shapes.js';
export {
  ITEM_KINDS,
  type ItemKind,
  SIDE_EFFECTS,
  type InputCheck,
  type InputIssue,
  type ToolFinding,
  type ToolInputValidator,
} from './tool/tool-definition.js';
export type {
  CallerInput,
  InputMethod,
  InputRequest,
  InputRequests,
  InputResponses,
  ToolLogEntry,
} from './tool/source/caller-input.js';
export type { AuthorizationAnswer, UserAuthorizer, UserGrant, UserTokens } from './tool/source/user-authorization.js';
export type { Completion, CompletionRequest, InspectionMode } from './tool/tool-source.js';
export type { RedactionCall, ResultRedactor, ResultText } from './toolbox/results/redaction/result-redactor.js';
export { atOnce, TimeSlicer } from './async/time-slicer.js';
export { jsonSchemaValidator } from './tool/schema/tool-schema.js';
export { descriptionHash, type QueriesOfTool, type QueryCatalog } from './search/examples/query-catalog.js';
export { toolRoutesOf } from './nest/request/tool-routes.js';
export { estimateTokens } from './tool/token-count.js';
export { truncated, hasControlCharacters } from './json/safe-text.js';
export { checkJsonText } from './tool/json-limits.js';
export { toolContext } from './tool/tool-context.js';
export {
  areExamples,
  areHeaders,
  areTexts,
  changes,
  glob,
  inspection,
  loading,
  milliseconds,
  namespace,
  remoteSourceOptions,
  sideEffects,
  sourceLimits,
  sourceName,
} from './tool/source/source-options.js';
export {
  allowed,
  bare,
  defaultOf,
  described,
  eachOption,
  flag,
  func,
  kept,
  list,
  object,
  oneOf,
  type OptionsOf,
  part,
  record,
  rule,
  type SettingsOf,
  share,
  someOf,
  text,
  value,
  whole,
  withDefaults,
} from './options/options.js';
export { parseOptions } from './options/parse-options.js';
export { redactionOptions } from './toolbox/results/redaction/result-redaction.js';
export { moduleOptions } from './nest/module/tool-search.options.js';
export { listedReadings, uriReadings } from './json/uri-readings.js';
