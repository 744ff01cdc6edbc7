import { Injectable } from '@nestjs/common';
import {
  type InterceptedCall,
  type InterceptedResult,
  type NextCall,
  Tool,
  ToolCallInterceptor,
  ToolSearchError,
} from '@tool-search/core';
import { toOutput } from '@tool-search/core/adapter';
import { z } from 'zod';

const Refund = z.object({ invoice: z.string(), clerk: z.string().optional() });

/** The tools of the examples. */
@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', input: Refund })
  refund({ invoice, clerk = 'nobody' }: z.infer<typeof Refund>) {
    return `${clerk} refunded ${invoice}`;
  }

  @Tool({ description: 'Quote a price for a product.', input: z.object({ product: z.string() }), sideEffects: 'read' })
  quote({ product }: { readonly product: string }) {
    return { product, price: 120, margin: 45 };
  }

  @Tool({ description: 'Rate the credit of a company.', input: z.object({ company: z.string() }), costHint: '3' })
  rateCredit({ company }: { readonly company: string }) {
    if (company === 'nowhere') throw new Error('the bureau is down');
    return `${company}: good`;
  }
}

// #region fill
@ToolCallInterceptor()
export class SignRefunds implements ToolCallInterceptor {
  intercept({ tool, arguments: given, context }: InterceptedCall, next: NextCall) {
    if (tool.name !== 'billing.refund') return next();
    // Also if the model has written another name.
    return next({ ...given, clerk: context.userId ?? 'unknown' });
  }
}
// #endregion fill

// #region cost
/** Stands for your own accounts: what each tenant may still spend, in cents. */
@Injectable()
export class Accounts {
  readonly left = new Map<string, number>([['acme', 5]]);

  async reserve(tenantId: string, cents: number): Promise<boolean> {
    const left = (this.left.get(tenantId) ?? 0) - cents;
    if (left >= 0) this.left.set(tenantId, left);
    return left >= 0;
  }

  async giveBack(tenantId: string, cents: number): Promise<void> {
    this.left.set(tenantId, (this.left.get(tenantId) ?? 0) + cents);
  }
}

@ToolCallInterceptor({ order: -10 }) // outside of the others: they cost nothing where this one refuses
export class BookCosts implements ToolCallInterceptor {
  constructor(private readonly accounts: Accounts) {}

  async intercept({ tool, context: { tenantId } }: InterceptedCall, next: NextCall): Promise<InterceptedResult> {
    const cents = Number(tool.costHint ?? 0);
    if (!(await this.accounts.reserve(tenantId, cents))) {
      throw new ToolSearchError('CALL_REFUSED', `${tool.name} costs more than is left this month.`, {
        hint: 'Go on without it, or ask an administrator for a larger budget.',
      });
    }
    try {
      return await next();
    } catch (error) {
      await this.accounts.giveBack(tenantId, cents);
      throw error; // as it is: the model reads why the call failed
    }
  }
}
// #endregion cost

// #region rewrite
@ToolCallInterceptor()
export class HideMargins implements ToolCallInterceptor {
  async intercept({ tool, context: { roles = [] } }: InterceptedCall, next: NextCall): Promise<InterceptedResult> {
    const result = await next();
    if (tool.name !== 'billing.quote' || roles.includes('sales')) return result;
    const { margin: _margin, ...quote } = result.structured as { readonly margin: number };
    return toOutput(quote); // frozen results are not changed, but replaced: the text and the structured content
  }
}
// #endregion rewrite
