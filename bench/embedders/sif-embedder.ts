import type { Embedder, ToolDefinition } from '@tool-search/core';
import { addTo, principalDirection, without } from './principal-direction.js';
import { textWords } from './text-words.js';
import type { WordVectors } from './word-vectors.js';

/** From 1e-3 to 1e-4 in the paper. */
const SMOOTHING = 1e-4;

/**
 * Texts as the mean of their words' vectors, frequent words counting less (smooth inverse frequency), without the direction
 * that the catalog's tools have most in common: Arora et al. 2017, "A Simple but Tough-to-Beat Baseline for Sentence
 * Embeddings". Frequencies are those of the language and not of the catalog, which is too small to tell them.
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

/** The weight of a word that makes up this share of all words, from 0 (every word) to 1 (never seen). */
export function sifWeight(share: number, smoothing: number = SMOOTHING): number {
  return smoothing / (smoothing + share);
}

/** What share of a text each of `count` words makes up, the most frequent first, by Zipf's law; they add up to 1. */
export function zipfShares(count: number): readonly number[] {
  const sizes = Array.from({ length: count }, (_, rank) => 1 / (rank + 1));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => size / total);
}
