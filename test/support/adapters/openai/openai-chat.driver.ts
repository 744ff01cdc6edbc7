import { OpenAI } from 'openai';
import { openai } from '@tool-search/agents/openai';
import type { AdapterDriver } from '../adapter-driver.js';
import { OpenAiChatServer } from './openai-chat-server.js';

/** OpenAI's SDK with chat completions. */
export async function openaiChatDriver(): Promise<AdapterDriver> {
  const server = await OpenAiChatServer.start();
  return {
    name: 'openai-chat',
    modes: ['all', 'deferred', 'bridge'],
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns, faults } = server.play(script);
      const client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });
      try {
        const { text, messages } = await openai(toolbox, { mode }).run(client, {
          model: 'gpt-6-sol',
          messages: [...(before as OpenAI.ChatCompletionMessageParam[]), { role: 'user', content: prompt }],
        });
        return { answer: text, turns, said: messages };
      } catch (error) {
        // An error of the script or the server is the cause.
        throw faults[0] ?? error;
      }
    },
    close: () => server.close(),
  };
}
