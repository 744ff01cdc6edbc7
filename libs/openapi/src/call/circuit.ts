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
import { Outage } from './outage.js';

const FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const GATEWAY_TIMEOUT = 504;
const GATEWAY_STATUSES: ReadonlySet<unknown> = new Set([502, 503, GATEWAY_TIMEOUT]);

/** What a circuit looks at in an answer. */
interface Answered {
  readonly status: number;
}

/** How work ended. */
type Outcome<T> = { readonly answer: T } | { readonly error: unknown };

/** What an outcome says of the server: it is up, it is down, or neither. */
type Verdict = 'up' | 'down' | 'unknown';

/** Carries an outcome that says nothing past the policy, which counts whatever is no error. */
class SaysNothing extends Error {
  constructor(readonly outcome: Outcome<never>) {
    super('the outcome says nothing of the server');
  }
}

/**
 * Stops calling a server that is down: after five outages in a row (no connection, no answer in time, HTTP 502, 503 or 504) calls are
 * refused at once, for 1 s at first and for up to 60 s later. What takes too long counts once for each operation, so that nobody
 * closes an API to all others with one slow operation. Whether the server is back a probe finds out, not somebody's call.
 */
export class Circuit {
  readonly #policy: CircuitBreakerPolicy;
  readonly #late = new Set<string>();

  /**
   * @param probe asks the server something that costs it nothing
   * @param changed called when it opens and when it closes
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

  /** Calls are refused, or somebody is just finding out. */
  get isOpen(): boolean {
    return this.#policy.state !== CircuitState.Closed;
  }

  /**
   * Does the work unless the circuit is open.
   *
   * @param operation what the work calls
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` while it is open; whatever the work throws
   */
  async run<T extends Answered>(operation: string, work: () => Promise<T>): Promise<T> {
    await this.check();
    return this.#counted(operation, work);
  }

  /**
   * Finds out whether a server that was given up is back, as often as the circuit allows that.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` while it is not; whatever the probe throws
   */
  async check(): Promise<void> {
    if (!this.isOpen) return;
    // Waiting for the one that finds out would only be another way of hanging.
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
    // Somebody who gave up proves nothing, and that is not enough to believe in a server again.
    if (status === undefined && !(error instanceof Outage)) return this.isOpen ? 'down' : 'unknown';
    const isLate = status === GATEWAY_TIMEOUT || (error instanceof Outage && error.isLate);
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
