import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from '@ai-sdk/provider-utils';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

/** A text, or a call of a tool. */
export type Reply = { readonly say: string } | { readonly call: string; readonly input?: object };

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that a workflow can hand to its steps: it knows by the messages which reply is next. */
class ScriptedLanguageModel extends MockLanguageModelV4 {
  static [WORKFLOW_SERIALIZE]({ replies }: ScriptedLanguageModel) {
    return { replies };
  }

  static [WORKFLOW_DESERIALIZE]({ replies }: { replies: readonly Reply[] }) {
    return new ScriptedLanguageModel(replies);
  }

  constructor(private readonly replies: readonly Reply[]) {
    super({
      doStream: async ({ prompt, tools = [] }) => {
        const number = prompt.filter(({ role }) => role === 'assistant').length;
        const reply = replies[Math.min(number, replies.length - 1)] ?? { say: '' };
        const id = `call-${number}`;
        // Like a model, it calls only what is listed.
        const isListed = 'call' in reply && tools.some(({ name }) => name === reply.call);
        const chunks =
          'call' in reply && isListed
            ? [
                {
                  type: 'tool-call' as const,
                  toolCallId: id,
                  toolName: reply.call,
                  input: JSON.stringify(reply.input ?? {}),
                },
                { type: 'finish' as const, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage },
              ]
            : [
                { type: 'text-start' as const, id },
                { type: 'text-delta' as const, id, delta: 'say' in reply ? reply.say : `no ${reply.call}` },
                { type: 'text-end' as const, id },
                { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: undefined }, usage },
              ];
        return {
          stream: simulateReadableStream({ chunks: [{ type: 'stream-start' as const, warnings: [] }, ...chunks] }),
        };
      },
    });
  }
}

/** In a function, because the compiler of workflows loses variables around `new`. */
export function scriptedModel(replies: readonly Reply[]): MockLanguageModelV4 {
  return new ScriptedLanguageModel(replies);
}
