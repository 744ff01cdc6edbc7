// #region tools
import { Injectable } from '@nestjs/common';
import {
  Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';

@Injectable()
export class InvoiceTools {
  @Tool({ description: 'Refund an invoice.', exampleQueries: ['give me my money back'] })
  refund() {
    return 'done';
  }

  @Tool({ description: 'List the invoices of a customer.' })
  list() {
    return [];
  }
}

@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter(({ name }) => name !== 'invoice.refund' || roles.includes('finance'));
  }
}
// #endregion tools
