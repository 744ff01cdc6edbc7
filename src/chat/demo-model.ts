import type { MetaNames } from '@tool-search/core';
import type { LanguageModel } from 'ai';
import { MetaWords } from './meta-words.js';
import { nextMove } from './next-move.js';

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type ModelRequest = Parameters<Model['doGenerate']>[0];
type Generated = Awaited<ReturnType<Model['doGenerate']>>;
type Streamed = Awaited<ReturnType<Model['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;

/**
 * A demo stand-in, not a language model: it serves a request by rules, so that the reference server and its tests work
 * without a key and without a network. It knows the meta tools and some English, and no other tool: what it calls it has
 * found by searching, chosen by its description and filled by its schema. Equal conversations get equal answers.
 */
export class DemoModel implements Model {
  readonly specificationVersion = 'v4';
  readonly provider = 'tool-search';
  readonly modelId = 'demo';
  readonly supportedUrls = {};
  readonly #words: MetaWords;

  /** @param names what the application calls its meta tools; what they do is not up to it */
  constructor(names: Partial<MetaNames> = {}) {
    this.#words = new MetaWords(names);
  }

  async doGenerate(request: ModelRequest): Promise<Generated> {
    request.abortSignal?.throwIfAborted();
    const move = nextMove(request, this.#words);
    const content: Generated['content'] =
      'answer' in move
        ? [{ type: 'text', text: move.answer }]
        : [
            {
              type: 'tool-call',
              toolCallId: nextId(request.prompt),
              toolName: move.toolName,
              input: JSON.stringify(move.input),
            },
          ];
    return {
      content,
      finishReason: { unified: 'answer' in move ? 'stop' : 'tool-calls', raw: undefined },
      // Nothing is tokenized here, so nothing is counted.
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    };
  }

  async doStream(request: ModelRequest): Promise<Streamed> {
    const { content, finishReason, usage, warnings } = await this.doGenerate(request);
    const parts: StreamPart[] = [{ type: 'stream-start', warnings }];
    for (const part of content) {
      if (part.type === 'tool-call') parts.push(part);
      if (part.type !== 'text') continue;
      parts.push(
        { type: 'text-start', id: 'answer' },
        { type: 'text-delta', id: 'answer', delta: part.text },
        { type: 'text-end', id: 'answer' },
      );
    }
    parts.push({ type: 'finish', finishReason, usage });
    return { stream: ReadableStream.from(parts) };
  }
}

// Of a long conversation only the end may be left, so the calls in it are not counted.
function nextId(prompt: ModelRequest['prompt']): string {
  const ids = prompt.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  );
  const last = Math.max(-1, ...ids.map((id) => Number(/^demo-(\d+)$/.exec(id)?.[1] ?? -1)));
  return `demo-${last + 1}`;
}
