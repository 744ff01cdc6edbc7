/** Turns texts into vectors whose cosine says how alike their meanings are. Implemented by the application; none is built in. */
export interface Embedder {
  /** Names model and version: vectors of another id are never compared or reused. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector per text, in order; they need not be normalised.
   *
   * @param kind some models treat a search and what is searched differently
   */
  embed(
    texts: readonly string[],
    kind: 'query' | 'tool',
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[] | Float32Array)[]>;
}
