import { func, kept, text, whole } from '../options/options.js';

/** Turns texts into vectors whose cosine measures how similar their meanings are. The application implements it. */
export interface Embedder {
  /** Identifies the model and its version. Vectors with another id are never compared or reused. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Returns one vector per text, in the same order. Vectors need not be normalised.
   *
   * @param kind some models embed queries and the searched texts differently
   */
  embed(
    texts: readonly string[],
    kind: 'query' | 'tool',
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[] | Float32Array)[]>;
}

export function embedder() {
  const members = { id: text(200), dimensions: whole(1, 4096), embed: func<Embedder['embed']>() };
  return kept<Embedder>(members, 'an embedder with id, dimensions and embed');
}
