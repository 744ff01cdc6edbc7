import type { Embedder } from '@tool-search/core';

// #region embedder
export interface OpenAiEmbedderOptions {
  /** Includes the version, for example `https://api.openai.com/v1` or `http://localhost:8080/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
  readonly apiKey?: string;
  /** Prefixes of the texts, for models that need them: e5 uses `{ query: 'query: ', tool: 'passage: ' }`. */
  readonly prefixes?: { readonly query: string; readonly tool: string };
}

/** Embeddings of any server that speaks OpenAI's `POST /embeddings`: OpenAI, Ollama, vLLM, TEI, llama.cpp … */
export class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;

  constructor(private readonly options: OpenAiEmbedderOptions) {
    this.id = `${options.model}@${options.dimensions}`;
    this.dimensions = options.dimensions;
  }

  async embed(texts: readonly string[], kind: 'query' | 'tool', signal?: AbortSignal): Promise<number[][]> {
    const { baseUrl, model, apiKey, prefixes } = this.options;
    const response = await fetch(`${baseUrl}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, input: texts.map((text) => `${prefixes?.[kind] ?? ''}${text}`) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw new Error(`${model} answered with ${response.status}`);
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] };
    // The order of the answer is the server's; `index` says which text each belongs to.
    return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  }
}
// #endregion embedder
