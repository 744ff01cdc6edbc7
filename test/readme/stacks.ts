import type Anthropic from '@anthropic-ai/sdk';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AiSdkSource } from '@tool-search/agents/ai-sdk';
import { anthropic } from '@tool-search/agents/anthropic';
import { langchain } from '@tool-search/agents/langchain';
import { openai } from '@tool-search/agents/openai';
import { openaiResponses } from '@tool-search/agents/openai-responses';
import { type AskModel, plain } from '@tool-search/agents/plain';
import type { Toolbox } from '@tool-search/core';
import type { ToolSet } from 'ai';
import { createAgent } from 'langchain';
import type { OpenAI } from 'openai';

// #region stacks
export const stacks = {
  chat: (client: OpenAI, toolbox: Toolbox, text: string) =>
    openai(toolbox).run(client, { model: 'gpt-6-sol', messages: [{ role: 'user', content: text }] }),
  // `native` lets the provider hold tools back: what a search finds comes in where it was found.
  responses: (client: OpenAI, toolbox: Toolbox, text: string) =>
    openaiResponses(toolbox, { mode: 'native' }).run(client, { model: 'gpt-6-sol', input: text }),
  claude: (client: Anthropic, toolbox: Toolbox, text: string) =>
    anthropic(toolbox, { mode: 'native' }).run(client, {
      model: 'claude-sonnet-5',
      max_tokens: 4096,
      messages: [{ role: 'user', content: text }],
    }),
  langChain: (model: BaseChatModel, toolbox: Toolbox) =>
    createAgent({ model, middleware: [langchain(toolbox).middleware] }),
  anyModel: (ask: AskModel, toolbox: Toolbox, text: string) => plain(toolbox).run({ ask, text }),
};
// #endregion stacks

// #region request-tools
export async function withOwnTools(toolbox: Toolbox, tools: ToolSet): Promise<Toolbox> {
  // Tools that only this request has, with the caller's credentials in them: found, decided about and activated like all others.
  return toolbox.with(new AiSdkSource({ name: 'mine', tools }));
}
// #endregion request-tools
