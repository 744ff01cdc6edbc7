import { type AskModel, plain, type PlainMessage } from '@tool-search/agents/plain';
import type { AdapterDriver } from './adapter-driver.js';
import { OpenAiChatServer } from './openai/openai-chat-server.js';

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The plain loop, with a few lines of `fetch` as the model. */
export async function plainDriver(): Promise<AdapterDriver> {
  const server = await OpenAiChatServer.start();
  return {
    name: 'plain',
    modes: ['all', 'deferred', 'bridge'],
    run: async (toolbox, { mode, prompt, script, before = [] }) => {
      const { apiKey, turns, faults } = server.play(script);
      const ask: AskModel = async (turn) => {
        const { tools, messages } = turn;
        const response = await fetch(`${server.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'any-model',
            messages: [
              ...(turn.prompt === '' ? [] : [{ role: 'system', content: turn.prompt }]),
              ...messages.map(wireMessage),
            ],
            ...(tools.length > 0 && {
              tools: tools.map(({ name, description, inputSchema }) => ({
                type: 'function',
                function: { name, description, parameters: inputSchema },
              })),
            }),
          }),
        });
        // An error of the script or the server is the cause.
        if (!response.ok) throw faults[0] ?? new Error(await response.text());
        const { choices } = (await response.json()) as {
          choices: [{ message: { content: string | null; tool_calls?: readonly ToolCall[] } }];
        };
        const { content, tool_calls = [] } = choices[0].message;
        return {
          ...(content !== null && { text: content }),
          calls: tool_calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input })),
        };
      };
      const messages = before as readonly PlainMessage[];
      const run = await plain(toolbox, { mode }).run({ ask, text: prompt, messages });
      return { answer: run.text, turns, said: run.messages };
    },
    close: () => server.close(),
  };
}

function wireMessage(message: PlainMessage): object {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.text };
  const { text = null, calls } = message;
  return {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
      })),
    }),
  };
}
