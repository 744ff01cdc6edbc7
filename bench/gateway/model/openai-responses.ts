import { contentText, type ModelWire, objectsIn, type OfferedTool, stringOf, type WireObject } from './model-wire.js';

/** OpenAI's `POST /v1/responses`, with tools that are declared in namespaces. */
export const openaiResponses: ModelWire = {
  matches: (method, path) => method === 'POST' && path === '/v1/responses',
  streams: (_path, { stream }) => stream === true,
  turnOf: ({ tools, input }) => ({
    offered: objectsIn(tools).flatMap(offeredIn),
    results: objectsIn(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => contentText(output)),
  }),
  answerOf: ({ model }, reply, id) => {
    const item =
      'call' in reply
        ? {
            id: `fc_${id}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_${id}`,
            ...reply.call,
            arguments: JSON.stringify(reply.arguments),
          }
        : {
            id: `msg_${id}`,
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          };
    const response = {
      id: `resp_${id}`,
      object: 'response',
      model: stringOf(model),
      status: 'in_progress',
      output: [],
    };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const completed = { ...response, status: 'completed', output: [item], usage };
    const event = (data: WireObject & { readonly type: string }) => ({ event: data.type, data });
    return {
      json: completed,
      events: [
        event({ type: 'response.created', response }),
        event({ type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } }),
        event({ type: 'response.output_item.done', output_index: 0, item }),
        event({ type: 'response.completed', response: completed }),
      ],
    };
  },
};

function offeredIn({ type, name, tools }: WireObject): readonly OfferedTool[] {
  if (type !== 'namespace') return [{ name: stringOf(name) }];
  return objectsIn(tools).map((tool) => ({ name: stringOf(tool['name']), namespace: stringOf(name) }));
}
