import { openaiResponses } from '@tool-search/agents/openai-responses';
import OpenAI from 'openai';
import type { AdapterDriver } from '../adapter-driver.js';
import { OpenAiResponsesServer } from './openai-responses-server.js';

/** `openaiResponses` with OpenAI's SDK. */
export async function openAiResponsesDriver(): Promise<AdapterDriver & { readonly server: OpenAiResponsesServer }> {
  const server = await new OpenAiResponsesServer().listen();
  return {
    name: 'openai-responses',
    modes: ['all', 'deferred', 'bridge', 'native'],
    server,
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns } = server.converse(script);
      const client = new OpenAI({ apiKey, baseURL: server.baseURL, maxRetries: 0 });
      const { response, input } = await openaiResponses(toolbox, { mode }).run(client, {
        model: 'gpt-5.4',
        input: [...(before as OpenAI.Responses.ResponseInput), { role: 'user', content: prompt }],
      });
      return { answer: response.output_text, turns, said: input };
    },
    close: () => server.close(),
  };
}
