import { withDeadline } from '../../async/deadline.js';
import type { Embedder } from '../embedder.js';
import { RecentMap } from '../../collections/recent-map.js';

const REMEMBERED = 500;
const MIN_REST_MS = 1_000;
const MAX_REST_MS = 60_000;

/** A failed embedding of a query; the embedder is not called again for `retryInMs` milliseconds. */
export interface QueryFault {
  readonly error: unknown;
  readonly retryInMs: number;
}

/**
 * Embeds queries and caches the vectors. If the embedder fails or misses the deadline, the search runs without a
 * vector, and the embedder is not called for 1 s, doubling up to 60 s, so that it does not delay every search.
 */
export class QueryVectors {
  readonly #recent = new RecentMap<QueryVector>(REMEMBERED);
  #restMs = 0;
  #restUntil = 0;

  /**
   * @param deadlineMs how long a search waits for its vector
   * @param onFault called whenever the embedder is paused
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    private readonly embedder: Embedder,
    private readonly deadlineMs: number,
    private readonly onFault: (fault: QueryFault) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The query's vector, or undefined if it is not available in time. Never rejects. */
  async of(text: string, signal?: AbortSignal): Promise<QueryVector | undefined> {
    const known = this.#recent.get(text);
    if (known || this.now() < this.#restUntil) return known;
    try {
      const answer = await withDeadline(
        this.deadlineMs,
        (until) => this.embedder.embed([text], 'query', until),
        signal,
      );
      const [vector = []] = checkedVectors(answer, 1, this.embedder.dimensions);
      const query = queryVector(vector);
      this.#recent.set(text, query);
      this.#restMs = 0;
      return query;
    } catch (error) {
      if (!signal?.aborted) this.#rest(error);
      return undefined;
    }
  }

  #rest(error: unknown): void {
    // Several searches that waited for the same missing answer count as one fault.
    if (this.now() < this.#restUntil) return;
    this.#restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, this.#restMs * 2));
    this.#restUntil = this.now() + this.#restMs;
    this.onFault({ error, retryInMs: this.#restMs });
  }
}

export type Numbers = readonly number[] | Float32Array;

/** A query vector in whole numbers, with the factor that turns its dot products into cosines. */
export interface QueryVector {
  readonly values: Int16Array;
  /** 1 / length; 0 for the zero vector. */
  readonly scale: number;
}

// With 4,096 dimensions and stored values up to 127 the dot product stays below 2^31.
const QUERY_RANGE = 2_047;

/** Rounds a query's vector to whole numbers, 16 times finer than stored vectors. */
export function queryVector(vector: Numbers): QueryVector {
  const values = new Int16Array(vector.length);
  const scale = quantize(vector, QUERY_RANGE, (dimension, value) => {
    values[dimension] = value;
  });
  return { values, scale };
}

/** Rounds a vector so that its largest component has the size `range`. @returns 1 / length; 0 for the zero vector */
export function quantize(vector: Numbers, range: number, put: (dimension: number, value: number) => void): number {
  let [largest, squares] = [0, 0];
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  if (largest === 0) return 0;
  for (let i = 0; i < vector.length; i++) {
    const rounded = Math.round(((vector[i] ?? 0) / largest) * range);
    squares += rounded * rounded;
    put(i, rounded);
  }
  return 1 / Math.sqrt(squares);
}

/** @throws Error if the number of vectors differs from `texts`, or a vector is not `dimensions` finite numbers */
export function checkedVectors(answer: readonly Numbers[], texts: number, dimensions: number): readonly Numbers[] {
  if (!Array.isArray(answer) || answer.length !== texts) throw new Error(`it did not answer with ${texts} vectors`);
  const isVector = (vector: Numbers) =>
    vector?.length === dimensions && vector.every((value) => Number.isFinite(value));
  if (!answer.every(isVector)) throw new Error(`a vector does not consist of ${dimensions} numbers`);
  return answer;
}
