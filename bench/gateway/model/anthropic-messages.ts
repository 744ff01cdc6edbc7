import { contentText, type ModelReply, type ModelWire, objectsIn, stringOf, type WireObject } from './model-wire.js';

/** Anthropic's `POST /v1/messages`. */
export const anthropicMessages: ModelWire = {
  matches: (method, path) => method === 'POST' && path === '/v1/messages',
  streams: (_path, { stream }) => stream === true,
  turnOf: ({ tools, messages }) => ({
    offered: objectsIn(tools).map(({ name }) => ({ name: stringOf(name) })),
    results: objectsIn(messages)
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => contentText(content)),
  }),
  answerOf: ({ model }, reply, id) => {
    const stop_reason = 'call' in reply ? 'tool_use' : 'end_turn';
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: stringOf(model),
      content: [] as object[],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const event = (data: WireObject & { readonly type: string }) => ({ event: data.type, data });
    const { block, start, delta } = blockOf(reply, id);
    return {
      json: { ...message, content: [block], stop_reason },
      events: [
        event({ type: 'message_start', message }),
        event({ type: 'content_block_start', index: 0, content_block: start }),
        event({ type: 'content_block_delta', index: 0, delta }),
        event({ type: 'content_block_stop', index: 0 }),
        event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } }),
        event({ type: 'message_stop' }),
      ],
    };
  },
};

function blockOf(reply: ModelReply, id: string) {
  if ('text' in reply) {
    const { text } = reply;
    return {
      block: { type: 'text', text },
      start: { type: 'text', text: '' },
      delta: { type: 'text_delta', text },
    };
  }
  const use = { type: 'tool_use', id: `toolu_${id}`, name: reply.call.name };
  return {
    block: { ...use, input: reply.arguments },
    start: { ...use, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(reply.arguments) },
  };
}
