import type { LanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
const call = (toolName: string, input: object) =>
  ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }) as const;

/** Script of the offline model: search, call the found tool, answer. */
const SCRIPT = [
  call('tool_search', { query: 'refund an invoice' }),
  call('billing__refund', { invoiceId: 'inv_1' }),
  { type: 'text', text: 'The money is on its way.' } as const,
];
let step = 0;

/** A model of the AI gateway, or the scripted one. */
export const model: LanguageModel =
  process.env.MODEL ??
  new MockLanguageModelV4({
    doGenerate: async () => {
      const content = SCRIPT[step++ % SCRIPT.length]!;
      const unified = content.type === 'text' ? ('stop' as const) : ('tool-calls' as const);
      return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
  });
