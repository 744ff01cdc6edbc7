import { createOpenAI } from '@ai-sdk/openai';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import type { AdapterDriver } from '../adapter-driver.js';
import { OpenAiChatServer } from './openai-chat-server.js';

/** `aiSdk(toolbox)` with the AI SDK's OpenAI provider, over chat completions. */
export async function aiSdkOpenAiDriver(): Promise<AdapterDriver> {
  const server = await OpenAiChatServer.start();
  return {
    name: 'ai-sdk with @ai-sdk/openai',
    modes: ['all', 'deferred', 'bridge'],
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns, faults } = server.play(script);
      try {
        const messages: ModelMessage[] = [...(before as ModelMessage[]), { role: 'user', content: prompt }];
        const { text, responseMessages } = await generateText({
          model: createOpenAI({ apiKey, baseURL: server.baseUrl }).chat('gpt-6-sol'),
          messages,
          maxRetries: 0,
          stopWhen: isStepCount(20),
          ...(await aiSdk(toolbox, { mode })),
        });
        return { answer: text, turns, said: [...messages, ...responseMessages] };
      } catch (error) {
        // An error of the script or the server is the cause.
        throw faults[0] ?? error;
      }
    },
    close: () => server.close(),
  };
}
