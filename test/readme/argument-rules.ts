import type { ToolPolicy } from '@tool-search/core';

// #region rules
export const policy: ToolPolicy = {
  arguments: [
    {
      id: 'large-refund',
      tools: ['billing.refund_invoice'],
      when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 1000 } } },
      then: 'deny',
      reason: 'refunds over 1000 belong to the finance team', // for operators
      message: 'Refunds over 1000 are made by the finance team.', // for the model
    },
    {
      id: 'refund',
      tools: ['billing.refund_invoice'],
      when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 100 } } },
      then: 'approve', // a second person approves each such call
      reason: 'somebody looks at refunds over 100',
    },
    {
      id: 'own-domain',
      tools: ['mail.send', 'mail.reply'],
      unless: { required: ['to'], properties: { to: { type: 'string', pattern: '@example\\.com$' } } },
      then: 'deny',
      reason: 'agents write to our own domain only',
    },
  ],
};
// #endregion rules
