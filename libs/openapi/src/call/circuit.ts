import { ToolSearchError } from '@tool-search/core';
import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
} from 'cockatiel';
import { UpstreamUnavailableError } from './upstream-unavailable.error.js';

const FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const GATEWAY_TIMEOUT = 504;
const GATEWAY_STATUSES: ReadonlySet<unknown> = new Set([502, 503, GATEWAY_TIMEOUT]);

interface Answered {
  readonly status: number;
}

type Outcome<T> = { readonly answer: T } | { readonly error: unknown };

/** How an outcome counts for the server: up, down, or neither. */
type Verdict = 'up' | 'down' | 'unknown';

/** Thrown past the policy with an outcome that must not count, because the policy counts every result. */
class SaysNothing extends Error {
  constructor(readonly outcome: Outcome<never>) {
    super('the outcome says nothing of the server');
  }
}

/**
 * Circuit breaker: opens after 5 consecutive outages (no connection, timeout, HTTP 502, 503 or 504) and rejects calls,
 * for about 1 s at first and for up to 60 s later. Then a probe, not a user's call, checks the server. Timeouts count
 * once per operation, so that one slow operation cannot block the API for everyone.
 */
export class Circuit {
  readonly #policy: CircuitBreakerPolicy;
  readonly #late = new Set<string>();

  /**
   * @param probe sends a cheap request to the server
   * @param changed called when the circuit opens and when it closes
   */
  constructor(
    private readonly probe: () => Promise<Answered>,
    changed: () => void,
  ) {
    this.#policy = circuitBreaker(
      handleWhenResult((judged) => (judged as { readonly verdict: Verdict }).verdict === 'down'),
      {
        halfOpenAfter: new ExponentialBackoff({ initialDelay: FIRST_WAIT_MS, maxDelay: LONGEST_WAIT_MS }),
        breaker: new ConsecutiveBreaker(FAILURES),
      },
    );
    this.#policy.onBreak(changed);
    this.#policy.onReset(changed);
  }

  /** Whether calls are rejected, or a probe is running. */
  get isOpen(): boolean {
    return this.#policy.state !== CircuitState.Closed;
  }

  /**
   * Runs the work unless the circuit is open.
   *
   * @param operation the tool that is called
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` while the circuit is open; otherwise the error of the work
   */
  async run<T extends Answered>(operation: string, work: () => Promise<T>): Promise<T> {
    await this.check();
    return this.#counted(operation, work);
  }

  /**
   * Probes the server if the circuit is open and its wait is over.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` while the circuit stays open; otherwise the error of the probe
   */
  async check(): Promise<void> {
    if (!this.isOpen) return;
    // Fails at once instead of waiting for the running probe.
    if (this.#policy.state === CircuitState.HalfOpen) throw unavailable();
    await this.#counted('', this.probe);
    if (this.isOpen) throw unavailable();
  }

  async #counted<T extends Answered>(operation: string, work: () => Promise<T>): Promise<T> {
    const outcome = await this.#policy
      .execute(async () => {
        const ended = await outcomeOf(work);
        const verdict = this.#verdict(operation, ended);
        if (verdict === 'unknown') throw new SaysNothing(ended as Outcome<never>);
        return { ...ended, verdict };
      })
      .catch((error: unknown): Outcome<T> => {
        if (error instanceof SaysNothing) return error.outcome;
        return { error: error instanceof BrokenCircuitError ? unavailable() : error };
      });
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  }

  #verdict(operation: string, outcome: Outcome<Answered>): Verdict {
    const status = 'answer' in outcome ? outcome.answer.status : undefined;
    if (status !== undefined && !GATEWAY_STATUSES.has(status)) {
      this.#late.clear();
      return 'up';
    }
    const error = 'error' in outcome ? outcome.error : undefined;
    // A cancelled call is no evidence of an outage, but it cannot close an open circuit either.
    if (status === undefined && !(error instanceof UpstreamUnavailableError)) return this.isOpen ? 'down' : 'unknown';
    const isLate = status === GATEWAY_TIMEOUT || (error instanceof UpstreamUnavailableError && error.isLate);
    if (!isLate || this.isOpen) return 'down';
    if (this.#late.has(operation)) return 'unknown';
    this.#late.add(operation);
    return 'down';
  }
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    return { error };
  }
}

function unavailable(): ToolSearchError {
  return new ToolSearchError('SOURCE_UNAVAILABLE', 'The API is not answering; it is not called for now.', {
    hint: 'Try again later.',
  });
}
