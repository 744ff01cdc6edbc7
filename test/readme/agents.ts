import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { langchain } from '@tool-search/agents/langchain';
import { openaiResponses } from '@tool-search/agents/openai-responses';
import type { Toolbox } from '@tool-search/core';
import { createAgent } from 'langchain';
import type OpenAI from 'openai';

// #region responses
export async function withResponses(toolbox: Toolbox, client: OpenAI, prompt: string) {
  const params = { model: 'gpt-5.4', input: prompt };
  const { response, input } = await openaiResponses(toolbox, { mode: 'native' }).run(client, params);
  return { text: response.output_text, input }; // the conversation, to go on with
}
// #endregion responses

// #region langchain
export async function withLangChain(toolbox: Toolbox, model: BaseChatModel, prompt: string) {
  const agent = createAgent({ model, middleware: [langchain(toolbox).middleware] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return messages.at(-1)?.text;
}
// #endregion langchain
