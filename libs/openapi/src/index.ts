// Any new export here becomes public API. Named exports only.
export type {
  BasicCredential,
  Credential,
  CredentialOption,
  HeadersOption,
  OperatorHeaders,
} from './call/credentials.js';
export type { DocumentAddress } from './document/document-address.js';
export type { DocumentOption } from './document/document-reader.js';
export { exposeControllers, type ExposeControllersOptions } from './expose-controllers.js';
export type { OpenApiSourceOptions } from './openapi-source-options.js';
export { type OpenApiLoadReport, OpenApiSource } from './openapi.source.js';
export type { OperationFilter, OperationSelector } from './operation/operation-filter.js';
