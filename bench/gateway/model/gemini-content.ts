import { type ModelWire, objectOf, objectsIn, stringOf } from './model-wire.js';

const PATH = /^\/v1(?:beta)?\/models\/(?<model>[^/:]+):(?<operation>generateContent|streamGenerateContent)$/;

/** Gemini's `generateContent` and `streamGenerateContent`. */
export const geminiContent: ModelWire = {
  matches: (method, path) => method === 'POST' && PATH.test(path),
  streams: (path) => PATH.exec(path)?.groups?.['operation'] === 'streamGenerateContent',
  turnOf: ({ tools, contents }) => ({
    offered: objectsIn(tools)
      .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
      .map(({ name }) => ({ name: stringOf(name) })),
    results: objectsIn(contents)
      .flatMap(({ parts }) => objectsIn(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => resultText(objectOf(functionResponse)['response'])),
  }),
  answerOf: (_body, reply, id) => {
    const part =
      'call' in reply
        ? { functionCall: { id: `call_${id}`, name: reply.call.name, args: reply.arguments } }
        : { text: reply.text };
    const json = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
      responseId: `resp_${id}`,
    };
    return { json, events: [{ data: json }] };
  },
};

// Clients choose the shape of a function response, usually `{ output }` or `{ error }`.
function resultText(response: unknown): string {
  const { output, error } = objectOf(response);
  return stringOf(output) || stringOf(error) || JSON.stringify(response);
}
