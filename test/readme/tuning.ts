import { type ToolContext, ToolSearchModule } from '@tool-search/core';

declare const context: () => ToolContext;

// #region tuning
export const module = ToolSearchModule.forRoot({
  context,
  control: { closedAfterMs: 3_000 },
  tuning: { control: { pollMs: 500, readDeadlineMs: 500, staleAfterMs: 2_000 } },
});
// #endregion tuning
