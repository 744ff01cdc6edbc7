import type { Embedder } from '../../search/embedder.js';

const DIMENSIONS = 256;

/**
 * An embedder for tests: texts that share sequences of three letters are similar. Deterministic and without a model;
 * records its inputs, and runs a test's function before every answer.
 */
export class TrigramEmbedder implements Embedder {
  readonly dimensions = DIMENSIONS;
  /** All embedded texts, in order. */
  readonly asked: { readonly text: string; readonly kind: 'query' | 'tool' }[] = [];

  /** @param before runs before every answer; to simulate a failing embedder, throw, or wait for the signal */
  constructor(
    readonly id = 'trigrams',
    private readonly before: (texts: readonly string[], kind: 'query' | 'tool') => unknown = () => undefined,
  ) {}

  async embed(texts: readonly string[], kind: 'query' | 'tool'): Promise<readonly Float32Array[]> {
    this.asked.push(...texts.map((text) => ({ text, kind })));
    await this.before(texts, kind);
    return texts.map(vectorOf);
  }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
    for (let i = 0; i + 3 <= word.length; i++) {
      let hash = 2_166_136_261;
      for (const character of word.slice(i, i + 3))
        hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
      const dimension = (hash >>> 0) % DIMENSIONS;
      vector[dimension] = (vector[dimension] ?? 0) + 1;
    }
  }
  return vector;
}
