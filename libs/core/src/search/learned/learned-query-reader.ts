import { withDeadline } from '../../async/deadline.js';
import type { LearnedQuery, LearnedQueryStore } from './learned-query-store.js';

const DEADLINE_MS = 250;
const MIN_REST_MS = 1_000;
const MAX_REST_MS = 60_000;

/**
 * Reads learned queries for searches. If the store fails or misses the deadline, the search runs without them, and the
 * reader does not call the store for 1 s, doubling up to 60 s. The pause applies to all tenants, so that a failed store
 * does not delay every search.
 */
export class LearnedQueryReader {
  #restMs = 0;
  #restUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param onFault called once per outage; called again only after the store has answered
   * @param deadlineMs how long a search waits for the store
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    private readonly store: Pick<LearnedQueryStore, 'list'>,
    private readonly onFault: (error: unknown) => void,
    private readonly deadlineMs = DEADLINE_MS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A tenant's queries, or undefined if the store fails, misses the deadline or is paused. Never rejects. */
  async list(tenantId: string): Promise<readonly LearnedQuery[] | undefined> {
    if (this.now() < this.#restUntil) return undefined;
    try {
      const queries = await withDeadline(this.deadlineMs, () => this.store.list(tenantId));
      this.#restMs = 0;
      return queries;
    } catch (error) {
      this.#rest(error);
      return undefined;
    }
  }

  #rest(error: unknown): void {
    // Several searches that waited for the same missing answer count as one fault.
    if (this.now() < this.#restUntil) return;
    const isFirst = this.#restMs === 0;
    this.#restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, this.#restMs * 2));
    this.#restUntil = this.now() + this.#restMs;
    if (isFirst) this.onFault(error);
  }
}
