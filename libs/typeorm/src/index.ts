// Any new export here becomes public API. Named exports only.
export { createDataSource } from './create-data-source.js';
export { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
export { TOOL_SEARCH_DATA_SOURCE } from './tool-search-data-source.js';
export { ToolSearchTypeOrmModule } from './tool-search-typeorm.module.js';
export { TypeOrmActivationStore } from './typeorm-activation.store.js';
