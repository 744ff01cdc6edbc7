import Anthropic from '@anthropic-ai/sdk';
import { anthropic } from '@tool-search/agents/anthropic';
import type { AdapterDriver } from '../adapter-driver';
import { AnthropicServer } from './anthropic-server';

/** `anthropic(toolbox).run` with Anthropic's client. */
export const anthropicDriver: AdapterDriver = {
  name: 'anthropic',
  modes: ['all', 'deferred', 'bridge', 'native'],
  run: async (toolbox, { mode, prompt, script, before = [] }) => {
    const server = await AnthropicServer.start(script);
    try {
      const client = new Anthropic({ apiKey: 'test', baseURL: server.baseURL, maxRetries: 0 });
      const { text, messages } = await anthropic(toolbox, { mode }).run(client, {
        model: 'claude-test',
        max_tokens: 1024,
        messages: [...(before as Anthropic.MessageParam[]), { role: 'user', content: prompt }],
      });
      return { answer: text, turns: server.turns, said: messages };
    } finally {
      await server.close();
    }
  },
};
