import { TenantFairLru } from '../collections/tenant-fair-lru.js';
import { type Attempt, CircuitBreaker, CircuitOpenError, type Outcome, type Verdict } from './circuit-breaker.js';

/** Callers whose failures are counted apart. A forgotten one, of the tenant with the most, begins to count anew. */
const MAX_CALLERS = 1_000;

/**
 * The circuit of a server that many callers share. Failures of one caller close the server to this caller first; it is closed
 * to all only if it also leaves a question of its own without an answer, so that no caller's arguments can take it away from
 * the others.
 */
export class CallersCircuit extends CircuitBreaker {
  readonly #callers = new TenantFairLru<CircuitBreaker>(MAX_CALLERS);

  /**
   * @param caller whose call it is
   * @param judge what an outcome shows for this caller alone; by default as for all
   * @throws CircuitOpenError, or the error of the work or the probe
   */
  async runFor<T>(
    { tenantId, userId = '' }: { readonly tenantId: string; readonly userId?: string | undefined },
    attempt: Attempt<T>,
    judge: (outcome: Outcome<T>) => Verdict = (outcome) => attempt.judge(outcome),
  ): Promise<T> {
    const own = this.#callers.get(tenantId, userId) ?? new CircuitBreaker(() => undefined);
    this.#callers.set(tenantId, userId, own);
    const wasOpen = this.isOpen;
    try {
      return await own.run({
        ...attempt,
        work: () => this.run(attempt),
        judge: (outcome) =>
          'error' in outcome && outcome.error instanceof CircuitOpenError ? 'unknown' : judge(outcome),
      });
    } finally {
      // Callers without failures take no room. The failures that have closed it to all are no caller's own.
      if (own.isClean) this.#callers.delete(tenantId, userId);
      else this.#callers.set(tenantId, userId, own);
      if (this.isOpen && !wasOpen) this.#callers.clear();
    }
  }
}
