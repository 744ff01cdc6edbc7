// For authors of search engines: the port, the snapshots it indexes, and searches by pattern in linear time.
export type { ToolIndex, ToolQuery, SearchAnswer, SearchHit, CatalogChange } from './search/tool-index.js';
export { CatalogSnapshot } from './tool/snapshot/catalog-snapshot.js';
export { ToolSet } from './tool/snapshot/tool-set.js';
export { isScan, scanSearch } from './search/scan-search.js';
export { checkedQuery } from './search/query-bounds.js';
export { verdictOn } from './search/search-verdict.js';
export type {
  DescribedForWriter,
  ExampleQueryWriter,
  WrittenForTools,
} from './toolbox/example-queries/writing/example-query-writer.js';
export { QUERY_ANSWER_SCHEMA, queryPrompt } from './toolbox/example-queries/writing/query-prompt.js';
export { toolText } from './search/text/tool-text.js';
export { MemoryToolIndex } from './search/memory/memory-tool-index.js';
export { FusedToolIndex } from './search/dense/fused-tool-index.js';
