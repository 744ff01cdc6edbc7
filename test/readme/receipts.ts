import { ToolSearchModule, type ToolContext } from '@tool-search/core';

// #region receipts
const { RECEIPT_SECRET = '' } = process.env;

export const ChatModule = ToolSearchModule.forRoot({
  context: ({ user }: { user: ToolContext }) => user,
  // The same on all instances, at least 16 characters.
  activation: { storage: 'messages', receiptSecret: RECEIPT_SECRET },
});
// #endregion receipts
