// For authors of tool sources: schemas, pages of tools, inspectors, redactors, what a source may ask of its callers, and connections
// to addresses from outside.
export { keepsWholeNumbers } from './json/exact-decimal.js';
export type { AppPage, ToolApp } from './tool/app-metadata.js';
export type { InspectedTool, ToolInspector } from './catalog/inspection/tool-inspector.js';
export { phraseInspector } from './catalog/inspection/phrase-inspector.js';
export { shownTexts } from './catalog/ingest/shown-texts.js';
export type { InputRequests, InputResponses } from './tool/source/caller-input.js';
export type { Completion, CompletionRequest, ListedResources } from './tool/tool-source.js';
export type { TraceContext } from './tool/tool-tracing.js';
export type { RedactionCall, ResultRedactor, ResultText } from './toolbox/results/redaction/result-redactor.js';
export { jsonSchemaValidator } from './tool/schema/tool-schema.js';
export type { EgressOptions } from './egress/address-rules.js';
export { Egress, isEgressRefused } from './egress/egress.js';
export { redactError } from './egress/redact-error.js';
export { Secrets } from './egress/secrets.js';
