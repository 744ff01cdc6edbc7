import { Injectable, Module } from '@nestjs/common';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { Tool, type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';
import { model } from './model.js';

const Refund = z.object({ invoiceId: z.string() });

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', input: Refund, sideEffects: 'write', loading: 'deferred' })
  refund({ invoiceId }: z.infer<typeof Refund>, { tenantId }: ToolContext) {
    return `${tenantId} gave ${invoiceId} back`;
  }
}

@Injectable()
export class Agent {
  constructor(private readonly toolSearch: ToolSearchService) {}

  /** Answers, and returns the names of the called tools. */
  async reply(prompt: string, context: ToolContext) {
    const toolbox = this.toolSearch.open(context);
    const { text, steps } = await generateText({ model, prompt, stopWhen: isStepCount(10), ...(await aiSdk(toolbox)) });
    return { text, called: steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)) };
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: () => ({ tenantId: 'acme' }), // no requests here: the agent passes the context
      exposure: 'deferred', // by default, so few tools would all be listed
    }),
  ],
  providers: [BillingTools, Agent],
})
export class AppModule {}
