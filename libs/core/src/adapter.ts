// For authors of adapters to agent SDKs: results and names in the form a provider accepts.
export { failure, failureObject, failureOf, resultText, contentText } from './tool/tool-result.js';
export { wireName } from './tool/tool-name.js';
export { providerFault } from './catalog/schema/schema-projection.js';
export { toOutput } from './tool/tool-source.js';
