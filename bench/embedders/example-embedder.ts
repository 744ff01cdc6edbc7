import type { Embedder, ToolDefinition } from '@tool-search/core';
import { randomOf } from '../measuring/random.js';
import { textWords } from './text-words.js';

const DIMENSIONS = 256;
/** Non-zero components of a word's random vector. */
const NONZERO = 8;
/** Weight of a word's own vector, relative to its neighbours'. */
const SELF = 0.5;

/**
 * Word vectors without a model or a download, learned from the catalog by random indexing (Kanerva 2000): each word
 * gets a sparse random vector, and its meaning is the sum of its neighbours' vectors over all texts with the word. The
 * vector of a text is the sum over its words, with rare words weighted higher. Knows only the catalog's text: a
 * stand-in that shows the effect of vectors.
 */
export class ExampleEmbedder implements Embedder {
  readonly id = 'random-indexing';
  readonly dimensions = DIMENSIONS;
  readonly #meanings = new Map<string, Float32Array>();
  readonly #rarity = new Map<string, number>();

  constructor(tools: readonly ToolDefinition[]) {
    const texts = tools.map(({ name, title = '', description }) => new Set(wordsOf(`${name} ${title} ${description}`)));
    for (const text of texts) for (const word of text) this.#rarity.set(word, (this.#rarity.get(word) ?? 0) + 1);
    for (const [word, count] of this.#rarity) this.#rarity.set(word, Math.log(1 + tools.length / count));
    const company = new Map([...this.#rarity.keys()].map((word) => [word, new Float32Array(DIMENSIONS)]));
    for (const text of texts) {
      const sum = new Float32Array(DIMENSIONS);
      for (const word of text) add(sum, randomVector(word), this.#rarity.get(word) ?? 0);
      for (const word of text) add(company.get(word) ?? sum, sum, 1);
    }
    const mean = new Float32Array(DIMENSIONS);
    for (const vector of company.values()) add(mean, normalized(vector), 1 / company.size);
    for (const [word, vector] of company) {
      // A component that all words share carries no information.
      const meaning = normalized(add(normalized(vector), mean, -1));
      this.#meanings.set(word, add(meaning, normalized(randomVector(word)), SELF));
    }
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return texts.map((text) => {
      const vector = new Float32Array(DIMENSIONS);
      for (const word of new Set(wordsOf(text))) {
        const meaning = this.#meanings.get(word);
        if (meaning) add(vector, meaning, this.#rarity.get(word) ?? 0);
      }
      return vector;
    });
  }
}

/** Splits a text into words and removes plural endings; deliberately simple. */
function wordsOf(text: string): string[] {
  return textWords(text).map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word));
}

function randomVector(word: string): Float32Array {
  let seed = 0;
  for (const character of word) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0;
  const random = randomOf(seed);
  const vector = new Float32Array(DIMENSIONS);
  for (let i = 0; i < NONZERO; i++) vector[Math.floor(random() * DIMENSIONS)] = random() < 0.5 ? -1 : 1;
  return vector;
}

function add(target: Float32Array, vector: Float32Array, factor: number): Float32Array {
  for (let i = 0; i < DIMENSIONS; i++) target[i] = (target[i] ?? 0) + factor * (vector[i] ?? 0);
  return target;
}

function normalized(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
