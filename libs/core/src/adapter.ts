// For authors of adapters to agent SDKs: results and names in the form a provider accepts.
export { CUT_NOTE, failure, failureObject, failureOf, lossNotes, resultText, contentText } from './tool/tool-result.js';
export { META_TOOL_NAMES, wireName, type ToolNaming } from './tool/tool-name.js';
export { providerFault } from './catalog/schema/schema-projection.js';
export { toolOutput } from './nest/tools/tool-output.js';
export { toOutput } from './tool/tool-source.js';
export type { PlainSchema } from './nest/tools/tool-input.js';
export { addTo } from './collections/records.js';
export { shownArguments } from './toolbox/calls/shown-arguments.js';
export { safeText, truncated } from './json/safe-text.js';
