import { Deadline } from '../../async/deadline.js';
import { abortable } from '../../async/abortable.js';
import type { LearnedQuery, LearnedQueryStore } from './learned-query-store.js';

const DEADLINE_MS = 250;
const MIN_REST_MS = 1_000;
const MAX_REST_MS = 60_000;

/** Timing of a {@link LearnedQueryReader}. */
export interface LearnedQueryReaderOptions {
  /** Milliseconds that a search waits for the store. @default 250 */
  readonly deadlineMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Reads learned queries for searches. If the store fails or misses the deadline, the search runs without them, and the
 * reader does not call the store for 1 s, doubling up to 60 s. The pause applies to all tenants, so that a failed store
 * does not delay every search.
 */
export class LearnedQueryReader {
  readonly #deadlineMs: number;
  readonly #now: () => number;
  #restMs = 0;
  #restUntil = Number.NEGATIVE_INFINITY;

  /** @param onFault called once per outage; called again only after the store has answered */
  constructor(
    private readonly store: Pick<LearnedQueryStore, 'list'>,
    private readonly onFault: (error: unknown) => void,
    { deadlineMs = DEADLINE_MS, now = () => performance.now() }: LearnedQueryReaderOptions = {},
  ) {
    this.#deadlineMs = deadlineMs;
    this.#now = now;
  }

  /** A tenant's queries, or undefined if the store fails, misses the deadline or is paused. Never rejects. */
  async list(tenantId: string): Promise<readonly LearnedQuery[] | undefined> {
    if (this.#now() < this.#restUntil) return undefined;
    const deadline = new Deadline(this.#deadlineMs);
    try {
      const queries = await abortable(() => this.store.list(tenantId), deadline.signal);
      this.#restMs = 0;
      return queries;
    } catch (error) {
      this.#rest(deadline.passed ? new Error(`no answer within ${this.#deadlineMs} ms`) : error);
      return undefined;
    } finally {
      deadline.clear();
    }
  }

  #rest(error: unknown): void {
    // Several searches that waited for the same missing answer count as one fault.
    if (this.#now() < this.#restUntil) return;
    const isFirst = this.#restMs === 0;
    this.#restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, this.#restMs * 2));
    this.#restUntil = this.#now() + this.#restMs;
    if (isFirst) this.onFault(error);
  }
}
