import { type Toolbox, type ToolContext, ToolSearchModule } from '@tool-search/core';

// #region settings
export const module = ToolSearchModule.forRoot({
  context: ({ user }: { user: ToolContext }) => user,
  results: {
    maxTokens: 4_000,
    shapedTokens: 2_000,
    heldForMs: 3_600_000,
    perTool: [
      { tools: 'reports.export', shorten: false },
      { tools: 'docs.*', maxTokens: 20_000, shapedTokens: 8_000 },
    ],
  },
});
// #endregion settings

// #region program
export const whole = (toolbox: Toolbox) => toolbox.call('reports.list', { year: 2026 }, { whole: true });
// #endregion program
