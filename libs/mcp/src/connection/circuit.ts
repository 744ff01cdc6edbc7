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

/** Failures in a row after which calls are not tried any more. */
export const MAX_FAILURES = 5;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** What a failure says of the server: it is away, it is there, or neither. */
export type Standing = 'away' | 'there' | 'unknown';

/** A call was not tried, because the server was away for those before it. */
export class CircuitOpen extends Error {
  constructor(cause: unknown) {
    super('the server has been away for several calls, so that this one was not tried', { cause });
    this.name = 'CircuitOpen';
  }
}

/** A failure on its way through the policy. */
class Failed extends Error {
  constructor(
    cause: unknown,
    readonly counts: boolean,
  ) {
    super('the work failed', { cause });
  }
}

/**
 * Spares callers a server that is away: after 5 failures in a row calls are refused at once. One call is let through
 * after 1 s, then after ever longer, up to 60 s; it decides for all. Failures of one user alone, on a connection of his own, do not open it: they may be those
 * of his credentials. Loads are always let through, because whoever loads has a
 * back-off of his own; one that succeeds closes the circuit.
 */
export class Circuit {
  #policy: CircuitBreakerPolicy;
  /** The failures in a row: of whom the first was, how many count, and whether others had some, too. */
  #row: { readonly holder: string; failures: number; isMixed: boolean } | undefined;

  /** @param turned called when a call has opened or closed the circuit */
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
   * @param holder whose connection it is; `''` for that of all
   * @throws CircuitOpen, or whatever the work throws
   */
  async call<T>(work: () => Promise<T>, holder = ''): Promise<T> {
    // Whoever comes while one finds out is not made to wait for it.
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

  /** @throws whatever the work throws */
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
    // What tells nothing of the server counts for nothing, but it is not enough to believe in it again.
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
