import Anthropic from '@anthropic-ai/sdk';
import { anthropicBeta } from '@tool-search/agents/anthropic';
import type { AdapterDriver } from '../adapter-driver';
import { AnthropicServer } from './anthropic-server';

type Said = Pick<Anthropic.Beta.MessageCreateParamsNonStreaming, 'messages' | 'tools'>;

/** `anthropicBeta(toolbox).run` with Anthropic's client: tools change inside the conversation. */
export const anthropicBetaDriver: AdapterDriver = {
  name: 'anthropic with tool changes',
  modes: ['all', 'deferred', 'bridge', 'native'],
  run: async (toolbox, { mode, prompt, script, before = { messages: [] } }) => {
    const { messages: earlier, tools: told } = before as Said;
    const server = await AnthropicServer.start(script);
    try {
      const client = new Anthropic({ apiKey: 'test', baseURL: server.baseURL, maxRetries: 0 });
      const { text, messages, tools } = await anthropicBeta(toolbox, { mode }).run(client, {
        model: 'claude-test',
        max_tokens: 1024,
        tools: told,
        messages: [...earlier, { role: 'user', content: prompt }],
      });
      return { answer: text, turns: server.turns, said: { messages, tools } };
    } finally {
      await server.close();
    }
  },
};
