/**
 * Turns texts into vectors whose cosine measures how similar their meanings are. The application implements it; none is
 * built in.
 */
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
