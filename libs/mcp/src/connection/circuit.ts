import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
} from 'cockatiel';

/** Consecutive failures that open the circuit. */
export const MAX_FAILURES = 5;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** How a failure counts: the server is unavailable, available, or the failure does not show which. */
export type Standing = 'away' | 'there' | 'unknown';

/** Thrown instead of calling the server while the circuit is open. */
export class CircuitOpen extends Error {
  constructor(cause: unknown) {
    super('the server has been away for several calls, so that this one was not tried', { cause });
    this.name = 'CircuitOpen';
  }
}

/** Wraps a failure so that the circuit breaker policy can tell whether it counts. */
class Failed extends Error {
  constructor(
    cause: unknown,
    readonly counts: boolean,
  ) {
    super('the work failed', { cause });
  }
}

/**
 * Circuit breaker: opens after 5 consecutive failures and rejects calls at once. After 1 s it lets one probe call
 * through; failed probes double the wait, up to 60 s. The failures of a single user on that user's own connection do
 * not open it, because the user's credentials may be the cause. Loads always run, because the caller of `load()` has
 * its own backoff; a successful load closes the circuit.
 */
export class Circuit {
  #policy: CircuitBreakerPolicy;
  /** Consecutive failures: the holder of the first, how many count, and whether they come from several holders. */
  #row: { readonly holder: string; failures: number; isMixed: boolean } | undefined;

  /** @param turned called after the circuit opened or closed */
  constructor(
    private readonly standing: (error: unknown) => Standing,
    private readonly turned: () => void,
  ) {
    this.#policy = this.#closed();
  }

  get isOpen(): boolean {
    return this.#policy.state !== CircuitState.Closed;
  }

  /**
   * @param holder owner of the connection; `''` for the shared connection
   * @throws CircuitOpen, or the error of the work
   */
  async call<T>(work: () => Promise<T>, holder = ''): Promise<T> {
    // Only the probe runs while the circuit is half open; other calls fail at once instead of waiting for it.
    if (this.#policy.state === CircuitState.HalfOpen) throw new CircuitOpen(undefined);
    const wasOpen = this.isOpen;
    try {
      return await this.#counted(work, holder);
    } catch (error) {
      throw error instanceof BrokenCircuitError ? new CircuitOpen(error) : error;
    } finally {
      if (this.isOpen !== wasOpen) this.turned();
    }
  }

  /** @throws the error of the work */
  async load<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isOpen) return this.#counted(work, '');
    const result = await work();
    this.#row = undefined;
    this.#policy = this.#closed();
    return result;
  }

  async #counted<T>(work: () => Promise<T>, holder: string): Promise<T> {
    const policy = this.#policy;
    try {
      const outcome = await policy.execute(async () => {
        try {
          const value = await work();
          this.#row = undefined;
          return { value };
        } catch (error) {
          const standing = this.standing(error);
          if (standing !== 'there') throw new Failed(error, this.#counts(standing, holder, policy));
          this.#row = undefined;
          return { error };
        }
      });
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    } catch (error) {
      throw error instanceof Failed ? error.cause : error;
    }
  }

  #counts(standing: Standing, holder: string, { state }: CircuitBreakerPolicy): boolean {
    // A failed probe opens the circuit again, even if its failure does not show whether the server is available.
    if (state !== CircuitState.Closed) return true;
    if (standing !== 'away') return false;
    const row = (this.#row ??= { holder, failures: 0, isMixed: false });
    row.isMixed ||= row.holder !== holder;
    if (holder !== '' && !row.isMixed && row.failures === MAX_FAILURES - 1) return false;
    row.failures += 1;
    return true;
  }

  #closed(): CircuitBreakerPolicy {
    return circuitBreaker(
      handleType(Failed, ({ counts }) => counts),
      {
        breaker: new ConsecutiveBreaker(MAX_FAILURES),
        halfOpenAfter: new ExponentialBackoff({
          generator: noJitterGenerator,
          initialDelay: MIN_WAIT_MS,
          maxDelay: MAX_WAIT_MS,
        }),
      },
    );
  }
}
