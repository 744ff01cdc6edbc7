import { contentText, type ModelWire, objectOf, objectsIn, stringOf } from './model-wire.js';

/** OpenAI's `POST /v1/chat/completions`. */
export const openaiChat: ModelWire = {
  matches: (method, path) => method === 'POST' && path === '/v1/chat/completions',
  streams: (_path, { stream }) => stream === true,
  turnOf: ({ tools, messages }) => ({
    offered: objectsIn(tools).map((tool) => ({ name: stringOf(objectOf(tool['function'])['name']) })),
    results: objectsIn(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => contentText(content)),
  }),
  answerOf: ({ model }, reply, id) => {
    const base = { id: `chatcmpl-${id}`, created: 1_700_000_000, model: stringOf(model) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const call = 'call' in reply && {
      id: `call_${id}`,
      type: 'function',
      function: { name: reply.call.name, arguments: JSON.stringify(reply.arguments) },
    };
    const finish_reason = call ? 'tool_calls' : 'stop';
    const message = call
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: 'text' in reply ? reply.text : '' };
    const delta = call ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
    const chunk = (choices: readonly object[], rest: object = {}) => ({
      data: { ...base, object: 'chat.completion.chunk', choices, ...rest },
    });
    return {
      json: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
      events: [
        chunk([{ index: 0, delta, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason }]),
        chunk([], { usage }),
        { data: '[DONE]' },
      ],
    };
  },
};
