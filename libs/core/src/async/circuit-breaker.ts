/** Consecutive failures that open the circuit. */
export const MAX_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** How a piece of work ended. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: unknown };

/**
 * Conclusion from an outcome: the server answers, does not answer, or unknown. A failure that may concern
 * only its subject, such as one user or one slow operation, has a limit: of its consecutive failures only so many count.
 */
export type Verdict = 'up' | 'down' | 'unknown' | { readonly subject: string; readonly limit: number };

/** A piece of work, and what its outcome shows. */
export interface Attempt<T> {
  work(): Promise<T>;
  judge(outcome: Outcome<T>): Verdict;
  /** Whether the caller gave up before the work failed: the failure then shows nothing of the server. @default never */
  isWithdrawn?(): boolean;
}

/** Thrown instead of calling the server while the circuit is open. */
export class CircuitOpenError extends Error {
  constructor() {
    super('the server did not answer several calls, so that this one was not tried');
    this.name = 'CircuitOpenError';
  }
}

interface OpenCircuit {
  readonly waitMs: number;
  readonly retryAt: number;
  isProbing: boolean;
}

/**
 * Opens after 5 consecutive failures and rejects calls at once. After 1 s it lets one probe through; failed probes
 * double the wait, up to 60 s. Any answer closes it. A withdrawn attempt counts as nothing; if it was the probe, the next call
 * is.
 */
export class CircuitBreaker {
  #failures = 0;
  readonly #failuresOf = new Map<string, number>();
  #open: OpenCircuit | undefined;
  #asking: Promise<void> | undefined;

  /**
   * @param changed called when a call or probe opens or closes the circuit
   * @param probe sent in place of a call that may probe; without it, the call itself is the probe
   * @param jitter share from 0 to 1 by which each wait is randomly longer or shorter, so that several instances do not
   *   probe at once
   * @param answers asks the server after the fifth failure; if it answers, the circuit stays closed. Without it, the circuit
   *   opens at once
   */
  constructor(
    private readonly changed: () => void,
    private readonly probe?: Attempt<unknown>,
    private readonly jitter = 0,
    private readonly answers?: () => Promise<boolean>,
  ) {}

  /** Whether calls are rejected, or a probe is running. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether no failure counts at present. */
  get isClean(): boolean {
    return !this.isOpen && this.#failures === 0;
  }

  /** @throws CircuitOpenError, or the error of the work or the probe */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    if (this.probe) await this.check();
    return this.#try(attempt);
  }

  /**
   * Probes the server if the circuit is open and its wait is over.
   *
   * @throws CircuitOpenError while the circuit stays open, or the error of the probe
   */
  async check(): Promise<void> {
    if (!this.probe || !this.isOpen) return;
    await this.#try(this.probe);
    if (this.isOpen) throw new CircuitOpenError();
  }

  /**
   * Runs work even while the circuit is open, for callers with a backoff of their own. Its answer closes the circuit.
   * Does not call `changed`.
   *
   * @throws the error of the work
   */
  async always<T>(attempt: Attempt<T>): Promise<T> {
    const open = this.#open;
    const outcome = await outcomeOf(attempt);
    if (open && 'value' in outcome) this.#close();
    else if (!open && !this.isOpen && !isWithdrawn(attempt, outcome)) {
      // The work has asked the server already.
      if (this.#isFull(attempt.judge(outcome))) this.#open = this.#opened(FIRST_WAIT_MS);
    }
    return resultOf(outcome);
  }

  async #try<T>(attempt: Attempt<T>): Promise<T> {
    const open = this.#open;
    if (open) {
      if (open.isProbing || Date.now() < open.retryAt) throw new CircuitOpenError();
      open.isProbing = true;
    }
    const outcome = await outcomeOf(attempt);
    if (isWithdrawn(attempt, outcome)) {
      if (open) open.isProbing = false;
      return resultOf(outcome);
    }
    const verdict = attempt.judge(outcome);
    // Opened or closed by another call in the meantime: this outcome is too old to count.
    if (open === this.#open) {
      if (!open) await this.#count(verdict);
      else if (verdict === 'up') this.#close();
      // A caller's call was the probe: its arguments may be what fails.
      else if (await this.answers?.()) this.#close();
      // A failed probe opens the circuit again, even if its failure does not show whether the server answers.
      else this.#open = this.#opened(Math.min(2 * open.waitMs, LONGEST_WAIT_MS));
      if (this.isOpen !== Boolean(open)) this.changed();
    }
    return resultOf(outcome);
  }

  async #count(verdict: Verdict): Promise<void> {
    if (!this.#isFull(verdict)) return;
    this.#asking ??= this.#confirm().finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  /** Opens the circuit unless the server answers a question of its own. */
  async #confirm(): Promise<void> {
    const isUp = await this.answers?.();
    // Closed or opened by others in the meantime.
    if (this.#failures < MAX_FAILURES || this.isOpen) return;
    if (isUp) this.#close();
    else this.#open = this.#opened(FIRST_WAIT_MS);
  }

  /** Counts a verdict. @returns whether there are enough failures to open */
  #isFull(verdict: Verdict): boolean {
    if (verdict === 'unknown') return false;
    if (verdict === 'up') {
      this.#close();
      return false;
    }
    if (verdict !== 'down') {
      const failures = this.#failuresOf.get(verdict.subject) ?? 0;
      if (failures >= verdict.limit) return false;
      this.#failuresOf.set(verdict.subject, failures + 1);
    }
    this.#failures += 1;
    return this.#failures >= MAX_FAILURES;
  }

  // The wait is doubled without its jitter, which would add up otherwise.
  #opened(waitMs: number): OpenCircuit {
    const shift = this.jitter * (2 * Math.random() - 1);
    return { waitMs, retryAt: Date.now() + Math.round(waitMs * (1 + shift)), isProbing: false };
  }

  #close(): void {
    this.#open = undefined;
    this.#failures = 0;
    this.#failuresOf.clear();
  }
}

async function outcomeOf<T>(attempt: Attempt<T>): Promise<Outcome<T>> {
  try {
    return { value: await attempt.work() };
  } catch (error) {
    return { error };
  }
}

function isWithdrawn<T>(attempt: Attempt<T>, outcome: Outcome<T>): boolean {
  return 'error' in outcome && attempt.isWithdrawn?.() === true;
}

function resultOf<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
