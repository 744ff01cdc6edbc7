// Any new export here becomes public API. Named exports only.
export {
  type OpenApiLoadReport,
  OpenApiSource,
  type OpenApiSourceOptions,
  type OperatorHeaders,
} from './openapi.source.js';
