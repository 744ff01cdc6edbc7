// Any new export here becomes public API. Named exports only.
export { exposeControllers, type ExposeControllersOptions } from './expose-controllers.js';
export type { OpenApiSourceOptions } from './openapi-source-options.js';
export { OpenApiSource } from './openapi.source.js';
