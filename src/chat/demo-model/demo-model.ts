import type { MetaNames } from '@tool-search/core/internal';
import { generateId, simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { nextMove } from './next-move.js';
import type { Model } from './transcript.js';

/**
 * A demo stand-in, not a language model: it serves a request by rules, so that the reference server and its tests work
 * without a key and without a network. It knows the meta tools and some English, and no other tool: it finds tools by
 * searching, chooses by name and description, and fills arguments by the schema. It rather does nothing than something
 * that was not asked for. Equal conversations get equal answers.
 */
export class DemoModel implements Model {
  readonly specificationVersion = 'v4';
  readonly provider = 'tool-search';
  readonly modelId = 'demo';
  readonly supportedUrls = {};
  readonly #meta: MetaNames;

  constructor(names: Partial<MetaNames> = {}) {
    this.#meta = {
      search: 'tool_search',
      get: 'tool_get',
      load: 'tool_load',
      call: 'tool_call',
      result: 'tool_result',
      ...names,
    };
  }

  readonly doGenerate: Model['doGenerate'] = async (request) => {
    request.abortSignal?.throwIfAborted();
    const move = nextMove(request, this.#meta);
    const content =
      'answer' in move
        ? { type: 'text' as const, text: move.answer }
        : { type: 'tool-call' as const, toolCallId: generateId(), ...move, input: JSON.stringify(move.input) };
    return {
      content: [content],
      finishReason: { unified: 'answer' in move ? 'stop' : 'tool-calls', raw: undefined },
      // Nothing is tokenized here, so nothing is counted.
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    };
  };

  readonly doStream: Model['doStream'] = async (request) =>
    wrapLanguageModel({ model: this, middleware: simulateStreamingMiddleware() }).doStream(request);
}
