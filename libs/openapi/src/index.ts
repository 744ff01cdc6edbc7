// Any new export here becomes public API. Named exports only.
export type { OpenApiSourceOptions, OperatorHeaders } from './openapi-source-options.js';
export { type OpenApiLoadReport, OpenApiSource } from './openapi.source.js';
