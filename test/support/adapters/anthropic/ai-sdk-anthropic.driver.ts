import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import type { AdapterDriver } from '../adapter-driver';
import { AnthropicServer } from './anthropic-server';

/** `aiSdk(toolbox)` with the AI SDK's Anthropic provider. */
export const aiSdkAnthropicDriver: AdapterDriver = {
  name: 'ai-sdk with @ai-sdk/anthropic',
  modes: ['all', 'deferred', 'bridge', 'native'],
  run: async (toolbox, { mode, prompt, script, before = [] }) => {
    const server = await AnthropicServer.start(script);
    try {
      const messages: ModelMessage[] = [...(before as ModelMessage[]), { role: 'user', content: prompt }];
      const { text, responseMessages } = await generateText({
        model: createAnthropic({ apiKey: 'test', baseURL: `${server.baseURL}/v1` })('claude-test'),
        messages,
        maxRetries: 0,
        maxOutputTokens: 1024,
        stopWhen: isStepCount(20),
        ...(await aiSdk(toolbox, { mode })),
      });
      return { answer: text, turns: server.turns, said: [...messages, ...responseMessages] };
    } finally {
      await server.close();
    }
  },
};
