import { ToolSearchModule, type ToolContext } from '@tool-search/core';
import { Fts5ToolIndex } from '@tool-search/fts5';

// #region fts5
export const SearchModule = ToolSearchModule.forRoot({
  context: ({ user }: { user: ToolContext }) => user,
  index: new Fts5ToolIndex({ database: '.tool-search/search.sqlite' }),
});
// #endregion fts5
