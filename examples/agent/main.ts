import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { Tool, type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

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
  async reply(model: LanguageModel, prompt: string, context: ToolContext) {
    const toolbox = this.toolSearch.open(context);
    const tools = await aiSdk(toolbox); // what is found in one step can be called in the next
    const { text, steps } = await generateText({ model, prompt, stopWhen: isStepCount(10), ...tools });
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
class AgentModule {}

/** A model that needs no key: it searches, calls the tool that it has found, and answers. */
function scriptedModel(): LanguageModel {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const call = (toolName: string, input: object) =>
    ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }) as const;
  const script = [
    call('tool_search', { query: 'refund an invoice' }),
    call('billing__refund', { invoiceId: 'inv_1' }),
    { type: 'text', text: 'The money is on its way.' } as const,
  ];
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const content = script.shift()!;
      const unified = content.type === 'text' ? ('stop' as const) : ('tool-calls' as const);
      return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
  });
}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const app = await NestFactory.createApplicationContext(AgentModule, { logger: ['error'] });
  const model = process.env.MODEL ?? scriptedModel();
  const context = { tenantId: 'acme', userId: 'ada', sessionId: 'a-conversation' };
  const { text, called } = await app.get(Agent).reply(model, 'Give invoice inv_1 back', context);
  say(`called: ${called.join(', ')}`);
  say(`answered: ${text}`);
  await app.close();
}
