// What applications use. Any new export here becomes public API. Named exports only.
export type { JsonObject, JsonSchema, JsonValue } from './json/json.js';
export type { ToolContent, ToolDeclaration, ToolDefinition } from './tool/tool-definition.js';
export type { ToolContext } from './tool/tool-context.js';
export {
  isToolSearchError,
  TOOL_SEARCH_ERROR_CODES,
  ToolSearchError,
  type ToolSearchErrorCode,
} from './tool/tool-search.error.js';
export type { ToolFailure, ToolResult } from './tool/tool-result.js';
export type { LoadOptions, SourceAnswer, ToolCall, ToolSource } from './tool/tool-source.js';
export { type ToolEvent, type ToolEventOf, ToolEvents } from './tool/tool-event.js';
export type { Embedder } from './search/embedder.js';
export { ToolActivations } from './activation/tool-activations.js';
export { AuditTrail } from './access/control/audit-trail.js';
export { ControlPlane } from './access/control/control-plane.js';
export { KillSwitches } from './access/kill-switches/kill-switches.js';
export { StoredPolicies } from './access/policies/stored-policies.js';
export { ToolApprovals } from './access/approvals/tool-approvals.js';
export { ToolQuarantine } from './access/quarantine/tool-quarantine.js';
export { ToolPolicies } from './access/policies/tool-policies.js';
export type { ToolPolicy } from './access/policies/tool-policy.js';
export type { CallPolicyAnswer, PolicyCall } from './access/call-policies/tool-call-policy.js';
export type { ToolVisibilityPolicy } from './access/visibility-policy.js';
export type { InterceptedCall, InterceptedResult, NextCall } from './tool/tool-call-interceptor.js';
export type { KillSwitch } from './access/kill-switches/kill-switch.js';
export { ToolCatalog } from './catalog/tool-catalog.js';
export type { SourceStatus } from './catalog/loading/source-feed.js';
export { Toolbox } from './toolbox/toolbox.js';
export { TenantSources } from './toolbox/tenants/tenant-sources.js';
export type { TenantSourceOptions } from './toolbox/tenants/tenant-source-options.js';
export type {
  ActivateReply,
  CompactReply,
  FoundTool,
  GetReply,
  PauseReceipt,
  ResumeReply,
  RunState,
  SearchReply,
} from './toolbox/meta-tools/replies.js';
export type { Explanation } from './toolbox/explanation.js';
export type { SearchRequest } from './toolbox/search/search-request.js';
export { SearchGaps } from './toolbox/search-gaps/search-gaps.js';
export { TokenLedger } from './exposure/ledger/token-ledger.js';
export { toolCallOf } from './nest/tools/tool-pipeline.js';
export type { ListedTool, MetaTool, Surface, SurfaceRequest } from './toolbox/surface/surface.js';
export { CodeSource } from './nest/tools/code.source.js';
export { defineTool } from './nest/decorators/define-tool.js';
export { ToolSearchErrorFilter } from './nest/request/error.filter.js';
export { checkJsonBody } from './nest/request/json-body.js';
export { RequiresTool } from './nest/decorators/requires-tool.decorator.js';
export { RequestToolbox } from './nest/decorators/request-toolbox.decorator.js';
export { Tool, type ToolOptions } from './nest/decorators/tool.decorator.js';
export { ToolCallInterceptor } from './nest/decorators/tool-call-interceptor.decorator.js';
export { ToolCallPolicy } from './nest/decorators/tool-call-policy.decorator.js';
export { VisibilityPolicy } from './nest/decorators/visibility-policy.decorator.js';
export { ToolSearchModule } from './nest/module/tool-search.module.js';
export type { ToolSearchModuleOptions } from './nest/module/tool-search.options.js';
export { ToolSearchService } from './nest/module/tool-search.service.js';
export { requestOf } from './nest/request/request-link.js';
export type { IncomingMessage } from './nest/request/incoming.js';
