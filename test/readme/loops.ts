import { openai } from '@tool-search/agents/openai';
import { type AskModel, plain } from '@tool-search/agents/plain';
import type { Toolbox } from '@tool-search/core';
import type { OpenAI } from 'openai';

// #region openai
export async function replyWithOpenAi(client: OpenAI, toolbox: Toolbox, prompt: string) {
  const { text } = await openai(toolbox).run(client, {
    model: 'gpt-6-sol',
    messages: [{ role: 'user', content: prompt }],
  });
  return text;
}
// #endregion openai

// #region openai-loop
export async function replyInOwnLoop(client: OpenAI, toolbox: Toolbox, prompt: string) {
  const chat = openai(toolbox);
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-6-sol', ...(await chat.request(messages)) });
    const { message } = choices[0]!;
    messages.push(message, ...(await chat.answer(message)));
    if (!message.tool_calls?.length) return message.content;
  }
}
// #endregion openai-loop

// #region plain
export async function replyPlainly(ask: AskModel, toolbox: Toolbox, text: string) {
  // ask sends { tools, prompt, messages } to any model and gives back { text, calls: [{ name, input, id }] }
  const { text: answer } = await plain(toolbox).run({ ask, text, maxSteps: 20 });
  return answer;
}
// #endregion plain
