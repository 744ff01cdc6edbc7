import { createOpenAI } from '@ai-sdk/openai';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import type { AdapterDriver } from '../adapter-driver.js';
import { OpenAiResponsesServer } from './openai-responses-server.js';

/** `aiSdk(toolbox)` with the AI SDK's OpenAI provider, over Responses. */
export async function aiSdkResponsesDriver(): Promise<AdapterDriver> {
  const server = await new OpenAiResponsesServer().listen();
  return {
    name: 'ai-sdk with @ai-sdk/openai over Responses',
    modes: ['all', 'deferred', 'bridge', 'native'],
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns } = server.converse(script);
      const messages: ModelMessage[] = [...(before as ModelMessage[]), { role: 'user', content: prompt }];
      const { text, responseMessages } = await generateText({
        model: createOpenAI({ apiKey, baseURL: server.baseURL }).responses('gpt-5.4'),
        messages,
        maxRetries: 0,
        stopWhen: isStepCount(20),
        // Items are sent in full, not by reference.
        providerOptions: { openai: { store: false } },
        ...(await aiSdk(toolbox, { mode })),
      });
      return { answer: text, turns, said: [...messages, ...responseMessages] };
    },
    close: () => server.close(),
  };
}
