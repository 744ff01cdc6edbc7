import type { Outcome, Verdict } from '@tool-search/core/internal';

const GATEWAY_TIMEOUT = 504;

/** The server could not be reached, broke off or did not answer in time; `cause` has the details. */
export class UpstreamUnavailableError extends Error {
  /** @param isLate the deadline passed without an answer, which may concern only one slow operation */
  constructor(
    cause: unknown,
    readonly isLate = false,
  ) {
    super('the server is not answering', { cause });
    this.name = 'UpstreamUnavailableError';
  }
}

/**
 * Verdict on an outcome for the circuit breaker: HTTP 502, 503 and 504 are outages, as are failed connections. Timeouts
 * count once per operation, so that one slow operation cannot block the API for everyone. A cancelled call shows
 * nothing.
 */
export function verdictOf(outcome: Outcome<{ readonly status: number }>, operation: string): Verdict {
  const late = { subject: operation, limit: 1 };
  if ('value' in outcome) {
    const { status } = outcome.value;
    if (status === GATEWAY_TIMEOUT) return late;
    return status === 502 || status === 503 ? 'down' : 'up';
  }
  if (!(outcome.error instanceof UpstreamUnavailableError)) return 'unknown';
  return outcome.error.isLate ? late : 'down';
}
