import { createOpenAI } from '@ai-sdk/openai';
import { mastra } from '@tool-search/agents/mastra';
import type { AdapterDriver } from './adapter-driver.js';
import { OpenAiResponsesServer } from './openai/openai-responses-server.js';

/** `mastra` with an agent of `@mastra/core` and an OpenAI model. */
export async function mastraDriver(): Promise<AdapterDriver & { readonly server: OpenAiResponsesServer }> {
  process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
  const { Agent } = await import('@mastra/core/agent');
  const server = await new OpenAiResponsesServer().listen();
  return {
    name: 'mastra',
    modes: ['all', 'deferred', 'bridge'],
    answersUnlisted: /Tool \\*"[\w.-]+\\*" not found/,
    server,
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns } = server.converse(script);
      const model = createOpenAI({ apiKey, baseURL: server.baseURL }).responses('gpt-5.4');
      // Mastra's type of a model asks for more than its agents do.
      const given = { id: 'clerk', name: 'Clerk', instructions: '', maxRetries: 0, model: model as never };
      const agent = new Agent(given);
      const messages = [...(before as object[]), { role: 'user' as const, content: prompt }];
      const { text, messages: said } = await agent.generate(messages as never, {
        inputProcessors: [mastra(toolbox, { mode })],
        maxSteps: 20,
        // Items are sent in full, not by reference.
        providerOptions: { openai: { store: false } },
      });
      return { answer: text, turns, said };
    },
    close: () => server.close(),
  };
}
