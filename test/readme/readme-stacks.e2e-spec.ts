import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { tool } from 'ai';
import { OpenAI } from 'openai';
import { z } from 'zod';
import { stacks, withOwnTools } from './stacks.js';
import type { Script } from '../support/adapters/adapter-driver.js';
import { AnthropicServer } from '../support/adapters/anthropic/anthropic-server.js';
import { OpenAiChatServer } from '../support/adapters/openai/openai-chat-server.js';
import { OpenAiResponsesServer } from '../support/adapters/openai/openai-responses-server.js';

const PROMPT = 'Who is customer 7?';
const answering: Script = () => ({ text: 'Ada' });
const opened = () =>
  openToolbox({ sources: [new FakeSource('crm', [{ name: 'read_customer', loading: 'deferred', run: () => 'Ada' }])] });

describe('one line for each stack', () => {
  it('runs a conversation through every SDK', async () => {
    const { toolbox } = await opened();
    const chat = await OpenAiChatServer.start();
    const responses = await new OpenAiResponsesServer().listen();
    const messages = await AnthropicServer.start(answering);
    try {
      const { apiKey } = chat.play(answering);
      const chatClient = new OpenAI({ apiKey, baseURL: chat.baseUrl, maxRetries: 0 });
      expect((await stacks.chat(chatClient, toolbox, PROMPT)).text).toBe('Ada');
      const responsesClient = new OpenAI({
        apiKey: responses.converse(answering).apiKey,
        baseURL: responses.baseURL,
        maxRetries: 0,
      });
      expect((await stacks.responses(responsesClient, toolbox, PROMPT)).response.output_text).toBe('Ada');
      const claude = new Anthropic({ apiKey: 'test', baseURL: messages.baseURL, maxRetries: 0 });
      expect((await stacks.claude(claude, toolbox, PROMPT)).text).toBe('Ada');
      const model = new ChatOpenAI({
        model: 'gpt-6-sol',
        apiKey: chat.play(answering).apiKey,
        maxRetries: 0,
        configuration: { baseURL: chat.baseUrl },
      });
      const agent = stacks.langChain(model, toolbox);
      const { messages: said } = await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] });
      expect(said.at(-1)?.text).toBe('Ada');
      expect((await stacks.anyModel(async () => ({ text: 'Ada' }), toolbox, PROMPT)).text).toBe('Ada');
    } finally {
      await Promise.all([chat.close(), responses.close(), messages.close()]);
    }
  });

  it('takes tools of one request', async () => {
    const { toolbox } = await opened();
    const send = tool({
      description: 'Send an electronic letter.',
      inputSchema: z.object({}),
      execute: async () => 'sent by Ada',
    });
    const mine = await withOwnTools(toolbox, { send_mail: send });
    expect((await mine.search({ query: 'send an electronic letter' })).tools[0]?.name).toBe('mine.send_mail');
    expect(await mine.call('mine.send_mail', {})).toMatchObject({ ok: true, content: [{ text: 'sent by Ada' }] });
    expect(await toolbox.call('mine.send_mail', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });
});
