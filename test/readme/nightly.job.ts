// #region job
import { Injectable } from '@nestjs/common';
import { ToolEvents, ToolPolicies, ToolSearchService } from '@tool-search/core';

@Injectable()
export class NightlyJob {
  constructor(
    private readonly toolSearch: ToolSearchService,
    private readonly policies: ToolPolicies,
    events: ToolEvents,
  ) {
    events.on('tool.denied', ({ tenantId, tool, layer, rule }) => console.warn({ tenantId, tool, layer, rule }));
  }

  run(tenantId: string) {
    const toolbox = this.toolSearch.open({ tenantId, runId: 'nightly' });
    return toolbox.call('billing.refund', { invoiceId: 'inv_1', amount: 5 });
  }

  freeze(tenantId: string) {
    this.policies.setTenant(tenantId, { deny: ['*'] }); // from the next decision on
  }
}
// #endregion job
