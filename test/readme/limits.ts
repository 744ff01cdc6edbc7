import { ToolSearchModule } from '@tool-search/core';

// #region limits
export const Limited = ToolSearchModule.forRoot({
  context: () => ({ tenantId: 'acme', userId: 'ada' }), // from your authentication
  limits: {
    rules: [
      { id: 'minute', per: ['user'], rate: { calls: 60, windowMs: 60_000 } },
      { id: 'exports', match: { tool: 'crm.export_*' }, per: ['tenant'], concurrency: { calls: 2 } },
      {
        id: 'tokens',
        per: ['tenant'],
        budget: { of: 'tokens', max: 2_000_000, every: 'day', timeZone: 'Europe/Berlin' },
      },
      { id: 'money', match: { tag: 'paid' }, budget: { of: 'cents', max: 50_000, every: 'month' } },
    ],
    cost: { cents: { bound: () => 20, of: (_tool, result) => (result.ok ? 12 : 0) } },
  },
});
// #endregion limits
