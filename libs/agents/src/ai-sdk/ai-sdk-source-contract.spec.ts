import { describeToolSource } from '@tool-search/core/testing';
import { tool } from 'ai';
import { z } from 'zod';
import { AiSdkSource } from './ai-sdk.source.js';

describeToolSource(
  'AiSdkSource',
  () => {
    const tools = {
      read: tool({
        description: 'Read a customer.',
        inputSchema: z.object({ id: z.string() }),
        execute: ({ id }) => ({ id }),
      }),
      refuse: tool({
        description: 'Refuses.',
        inputSchema: z.object({}),
        execute: (): string => {
          throw new Error('password=hunter2\n    at secret (node_modules/x)');
        },
      }),
    };
    const source = new AiSdkSource({ name: 'crm', tools });
    let changes = 0;
    return {
      source,
      works: { name: 'read', input: { id: '1' } },
      fails: { name: 'refuse', input: {} },
      change: () => source.replace({ ...tools, [`added_${(changes += 1)}`]: tools.read }),
    };
  },
  { watches: true },
);
