import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { langchain } from '@tool-search/agents/langchain';
import { createAgent } from 'langchain';
import type { AdapterDriver } from './adapter-driver.js';
import { OpenAiResponsesServer } from './openai/openai-responses-server.js';

/** `langchain` with an agent of `createAgent` and an OpenAI model. */
export async function langChainDriver(): Promise<AdapterDriver & { readonly server: OpenAiResponsesServer }> {
  const server = await new OpenAiResponsesServer().listen();
  return {
    name: 'langchain',
    modes: ['all', 'deferred', 'bridge'],
    server,
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns } = server.converse(script);
      const model = new ChatOpenAI({
        model: 'gpt-5.4',
        apiKey,
        useResponsesApi: true,
        maxRetries: 0,
        configuration: { baseURL: server.baseURL },
      });
      const agent = createAgent({ model, middleware: [langchain(toolbox, { mode }).middleware] });
      const { messages } = await agent.invoke({ messages: [...(before as BaseMessage[]), new HumanMessage(prompt)] });
      return { answer: messages.at(-1)?.text ?? '', turns, said: messages };
    },
    close: () => server.close(),
  };
}
