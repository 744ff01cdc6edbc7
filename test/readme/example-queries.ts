import { openai } from '@ai-sdk/openai';
import { aiSdkQueryWriter } from '@tool-search/agents/ai-sdk';
import { type ToolContext, ToolSearchModule } from '@tool-search/core';

// #region option
export const module = ToolSearchModule.forRoot({
  context: ({ user }: { user: ToolContext }) => user,
  search: {
    exampleQueries: {
      writer: aiSdkQueryWriter({ model: openai('gpt-6-luna') }),
      budget: { tokens: 2_000_000, money: 5, prices: { inputPerMillion: 0.25, outputPerMillion: 2 } },
    },
  },
});
// #endregion option
