import { Injectable, Module } from '@nestjs/common';
import {
  type InterceptedCall,
  type InterceptedResult,
  type NextCall,
  Tool,
  ToolCallInterceptor,
  ToolSearchError,
  ToolSearchModule,
} from '@tool-search/core';
import { z } from 'zod';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { userOf } from '../users.js';

const Refund = z.object({ invoiceId: z.string(), clerk: z.string().optional() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', input: Refund, sideEffects: 'write' })
  refund({ invoiceId, clerk = 'nobody' }: z.infer<typeof Refund>) {
    return `${clerk} refunded ${invoiceId}`;
  }
}

/** Fills in who asks, whatever the model has written. */
@ToolCallInterceptor()
export class SignRefunds implements ToolCallInterceptor {
  intercept({ tool, arguments: given, context }: InterceptedCall, next: NextCall) {
    if (tool.name !== 'billing.refund') return next();
    return next({ ...given, clerk: context.userId ?? 'unknown' });
  }
}

/** The application's own journal: what was called, by whom, and how it ended. */
@ToolCallInterceptor({ order: -20 }) // the lowest is the outermost: it sees what the others refuse
export class Journal implements ToolCallInterceptor {
  readonly lines: string[] = [];

  async intercept({ tool, context }: InterceptedCall, next: NextCall): Promise<InterceptedResult> {
    const entry = `${context.userId} ${tool.name}`;
    try {
      const result = await next();
      this.lines.push(`${entry}: ok`);
      return result;
    } catch (error) {
      this.lines.push(`${entry}: ${error instanceof ToolSearchError ? error.code : 'failed'}`);
      throw error;
    }
  }
}

/** Refuses, in words that the model can act on. */
@ToolCallInterceptor({ order: -10 })
export class OpeningHours implements ToolCallInterceptor {
  isOpen = true;

  intercept(_call: InterceptedCall, next: NextCall) {
    if (this.isOpen) return next();
    throw new ToolSearchError('CALL_REFUSED', 'The books are closed until Monday.', { hint: 'Offer to try then.' });
  }
}

@Module({
  imports: [ToolSearchModule.forRoot({ context: userOf })],
  providers: [BillingTools, SignRefunds, Journal, OpeningHours],
  controllers: [AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const ada = as('ada-token');

  say(`refund: ${await ada.call('billing.refund', { invoiceId: 'inv_1', clerk: 'the boss' })}`);
  app.get(OpeningHours).isOpen = false;
  say(`after hours: ${await ada.call('billing.refund', { invoiceId: 'inv_2' })}`);
  for (const line of app.get(Journal).lines) say(`journal: ${line}`);
  await app.close();
}
