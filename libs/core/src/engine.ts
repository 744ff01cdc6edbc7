// For authors of search engines: the port, the snapshots it indexes, and the analysis of texts.
export type {
  ToolIndex,
  ToolQuery,
  SearchAnswer,
  SearchHit,
  CatalogChange,
  PatternField,
  ScorePart,
} from './search/tool-index.js';
export type { SearchVerdict } from './tool/tool-event.js';
export type { StatisticsScope } from './tool/snapshot/statistics-scope.js';
export { CatalogSnapshot } from './tool/snapshot/catalog-snapshot.js';
export { ToolSet } from './tool/snapshot/tool-set.js';
export { isScan, type ScanQuery, scanSearch } from './search/scan-search.js';
export { verdictOn, WITNESSES, type Witness } from './search/search-verdict.js';
export { checkedQuery } from './search/query-bounds.js';
export { analysisStamp } from './search/text/analysis-stamp.js';
export { fieldTerms, type FieldTerms } from './search/text/field-terms.js';
export { FIELD_WEIGHTS } from './search/text/field-weights.js';
export { queryTerms, type QueryTerms } from './search/text/query-terms.js';
export { preparingSynonyms } from './search/text/synonyms/synonyms.js';
export type {
  DescribedForWriter,
  ExampleQueryWriter,
  WrittenForTools,
} from './search/examples/example-query-writer.js';
export { QUERY_ANSWER_SCHEMA, queryPrompt, type QueryPrompt } from './search/examples/query-prompt.js';
export { searchHashOf } from './search/text/search-hash.js';
export { type ToolText, toolText } from './search/text/tool-text.js';
export { MemoryToolIndex } from './search/memory/memory-tool-index.js';
export { FusedToolIndex, type FusedToolIndexParts, type DenseOptions } from './search/dense/fused-tool-index.js';
