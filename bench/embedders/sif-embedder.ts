import type { Embedder, ToolDefinition } from '@tool-search/core';
import { addTo, principalDirection, without } from './principal-direction.js';
import { textWords } from './text-words.js';
import type { WordVectors } from './word-vectors.js';

/** The paper uses 1e-3 to 1e-4. */
const SMOOTHING = 1e-4;

/**
 * Embeds a text as the mean of its words' vectors, with frequent words weighted lower (smooth inverse frequency), minus
 * the principal direction of the catalog's tools: Arora et al. 2017, "A Simple but Tough-to-Beat Baseline for Sentence
 * Embeddings". Uses the word frequencies of the language, because the catalog is too small to estimate them.
 */
export class SifEmbedder implements Embedder {
  readonly id = 'word-vectors';
  readonly dimensions: number;
  readonly #weights = new Map<string, number>();
  readonly #common: Float32Array;

  constructor(
    tools: readonly ToolDefinition[],
    private readonly words: WordVectors,
  ) {
    this.dimensions = words.dimensions;
    const shares = zipfShares(words.vectors.size);
    [...words.vectors.keys()].forEach((word, rank) => this.#weights.set(word, sifWeight(shares[rank] ?? 0)));
    const texts = tools.map(({ name, title = '', description }) => this.#mean(`${name} ${title} ${description}`));
    this.#common = principalDirection(texts, this.dimensions);
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return texts.map((text) => without(this.#common, this.#mean(text)));
  }

  #mean(text: string): Float32Array {
    const mean = new Float32Array(this.dimensions);
    const known = textWords(text).filter((word) => this.words.vectors.has(word));
    for (const word of known) {
      const vector = this.words.vectors.get(word) ?? mean;
      addTo(mean, vector, (this.#weights.get(word) ?? 0) / known.length);
    }
    return mean;
  }
}

/** The weight of a word by its share of all words: from about 0 (every word) to 1 (never seen). */
export function sifWeight(share: number, smoothing: number = SMOOTHING): number {
  return smoothing / (smoothing + share);
}

/** The share of each of `count` words in a text by Zipf's law, most frequent first; the shares add up to 1. */
export function zipfShares(count: number): readonly number[] {
  const sizes = Array.from({ length: count }, (_, rank) => 1 / (rank + 1));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => size / total);
}
