import { type ToolContext, ToolSearchModule } from '@tool-search/core';

// #region tuning
export const module = ToolSearchModule.forRoot({
  context: ({ user }: { user: ToolContext }) => user,
  control: { closedAfterMs: 3_000 },
  tuning: { control: { pollMs: 500, readDeadlineMs: 500, staleAfterMs: 2_000 } },
});
// #endregion tuning
