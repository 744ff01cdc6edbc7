/** Name of the library's own DataSource, as in `@InjectDataSource(TOOL_SEARCH_DATA_SOURCE)`. */
export const TOOL_SEARCH_DATA_SOURCE = 'tool-search';
