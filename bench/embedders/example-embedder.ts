import type { Embedder, ToolDefinition } from '@tool-search/core';
import { randomOf } from '../measuring/random.js';
import { textWords } from './text-words.js';

const DIMENSIONS = 256;
/** Components of a word's random vector that are not 0. */
const NONZERO = 8;
/** How much a word is itself, beside the company it keeps. */
const SELF = 0.5;

/**
 * Word vectors without a model or a download, learned from the catalog itself by random indexing (Kanerva 2000): every word
 * gets a sparse random vector, and means the sum of its neighbours' over all texts that have it. A text is the sum of its
 * words, rare ones counting more. It knows only what the catalog says: a stand-in, to see what vectors do.
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
      // What all words share says nothing about any of them.
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

/** Words without plurals; crude on purpose. */
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
