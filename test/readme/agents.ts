import type Anthropic from '@anthropic-ai/sdk';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Agent } from '@mastra/core/agent';
import { aiSdk, aiSdkSearch } from '@tool-search/agents/ai-sdk';
import { anthropicBeta } from '@tool-search/agents/anthropic';
import { langchain } from '@tool-search/agents/langchain';
import { mastra, MastraSource, type MastraTools } from '@tool-search/agents/mastra';
import { openaiResponses } from '@tool-search/agents/openai-responses';
import type { Toolbox } from '@tool-search/core';
import { generateText, isStepCount, type LanguageModel, toolSearch, type ToolSet } from 'ai';
import { createAgent } from 'langchain';
import type OpenAI from 'openai';

// #region responses
export async function withResponses(toolbox: Toolbox, client: OpenAI, prompt: string) {
  const params = { model: 'gpt-5.4', input: prompt };
  const { response, input } = await openaiResponses(toolbox, { mode: 'native' }).run(client, params);
  return { text: response.output_text, input }; // the conversation, to go on with
}
// #endregion responses

// #region ai-sdk-search
export async function withBuiltInSearch(toolbox: Toolbox, model: LanguageModel, own: ToolSet, prompt: string) {
  const search = toolSearch({ search: aiSdkSearch(toolbox) });
  const { tools } = await aiSdk(toolbox, { tools: own }); // yours and the toolbox's
  const deferred = Object.entries(tools).map(([name, each]) => [name, { ...each, deferLoading: true }] as const);
  const all: ToolSet = { search, ...Object.fromEntries(deferred) };
  return generateText({ model, prompt, tools: all, stopWhen: isStepCount(20) });
}
// #endregion ai-sdk-search

// #region tool-changes
export function withToolChanges(toolbox: Toolbox, client: Anthropic, prompt: string) {
  return anthropicBeta(toolbox, { mode: 'native' }).run(client, {
    model: 'claude-opus-5-5',
    max_tokens: 4096,
    messages: [{ role: 'user', content: prompt }],
  });
}
// #endregion tool-changes

// #region langchain
export async function withLangChain(toolbox: Toolbox, model: BaseChatModel, prompt: string) {
  const agent = createAgent({ model, middleware: [langchain(toolbox).middleware] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return messages.at(-1)?.text;
}
// #endregion langchain

// #region mastra
export async function withMastra(toolbox: Toolbox, agent: Agent, prompt: string) {
  const { text } = await agent.generate(prompt, { inputProcessors: [mastra(toolbox)], maxSteps: 20 });
  return text;
}
// #endregion mastra

// #region mastra-source
export function mastraTools(tools: MastraTools): MastraSource {
  // your existing tools of createTool(); the empty namespace keeps their names, so that prompts need no change
  return new MastraSource({ name: 'travel', namespace: '', tools });
}
// #endregion mastra-source
