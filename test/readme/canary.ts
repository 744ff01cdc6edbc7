import { Injectable } from '@nestjs/common';
import { Tool, type ToolContext } from '@tool-search/core';
import { z } from 'zod';

// #region canary
const Refund = z.object({ invoice: z.string() });
const Reimburse = z.object({ customer: z.string(), notify: z.boolean().default(true) });

@Injectable()
export class BillingTools {
  @Tool({
    description: 'Refund an invoice.',
    input: Refund,
    canary: {
      sharePct: 10,
      definition: { description: 'Reimburse a customer.', input: Reimburse },
      method: 'reimburse',
    },
  })
  refund({ invoice }: z.infer<typeof Refund>) {
    return `invoice ${invoice}`;
  }

  reimburse({ customer }: z.infer<typeof Reimburse>, { tenantId }: ToolContext) {
    return `customer ${customer} of ${tenantId}`;
  }
}
// #endregion canary
