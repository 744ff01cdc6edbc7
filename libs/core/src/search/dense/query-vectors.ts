import { Deadline } from '../../async/deadline.js';
import { abortable } from '../../async/abortable.js';
import type { Embedder } from '../embedder.js';
import { RecentMap } from '../../collections/recent-map.js';
import { checkedVectors, queryVector, type QueryVector } from './query-vector.js';

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
  readonly #recent = new RecentMap<string, QueryVector>(REMEMBERED);
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
    const deadline = new Deadline(this.deadlineMs, signal);
    try {
      const answer = await abortable(() => this.embedder.embed([text], 'query', deadline.signal), deadline.signal);
      const [vector = []] = checkedVectors(answer, 1, this.embedder.dimensions);
      const query = queryVector(vector);
      this.#recent.set(text, query);
      this.#restMs = 0;
      return query;
    } catch (error) {
      if (!signal?.aborted) this.#rest(deadline.passed ? new Error(`no answer within ${this.deadlineMs} ms`) : error);
      return undefined;
    } finally {
      deadline.clear();
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
