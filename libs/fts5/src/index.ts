// Any new export here becomes public API. Named exports only.
export { Fts5ToolIndex } from './fts5-tool-index.js';
export type { Fts5ToolIndexOptions } from './fts5-tool-index.options.js';
