// Any new export here becomes public API. Named exports only.
export type { BasicCredential, Credential, CredentialOption, HeadersOption, OperatorHeaders } from './credentials.js';
export type { DocumentAddress } from './document-address.js';
export type { DocumentOption } from './document-reader.js';
export type { OpenApiSourceOptions } from './openapi-source-options.js';
export { type OpenApiLoadReport, OpenApiSource } from './openapi.source.js';
export type { OperationFilter, OperationSelector } from './operation-filter.js';
export { exposeOwnApi, type OwnApiOptions } from './own-api.js';
