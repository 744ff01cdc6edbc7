import { withDeadline } from '../../async/deadline.js';
import type { ToolFailure, ToolResult } from '../../tool/tool-result.js';
import { type CounterRule, retryAfterMs, settled, type Taken, taken } from './counter.js';
import { limitReached } from './limit-failure.js';
import type { CountedLimit, LimitSubject } from './limit-set.js';
import type { CounterChange, LimitStore } from './limit-store.js';

/** One counter that a call uses, and how much of it. */
export interface CountedCall {
  readonly counted: CountedLimit;
  readonly key: string;
  /** Reserved before the call; 1 for calls. */
  readonly amount: number;
}

/** Services and functions that holding limits uses. */
export interface HoldingParts {
  readonly store: LimitStore;
  readonly storeTimeoutMs: number;
  /** Returns the use of a call in a unit other than calls. Never throws. */
  readonly used: (unit: string, subject: LimitSubject, result: ToolResult | undefined, reserved: number) => number;
  /** The limit that refused the call; undefined if waiting does not help. */
  readonly onReached: (subject: LimitSubject, limit: CountedLimit, retryAfterMs: number | undefined) => void;
  /** The counters could not be read: a refusal, or undefined to let the call run unchecked. */
  readonly onUnchecked: (
    subject: LimitSubject,
    limits: readonly CountedLimit[],
    error: unknown,
  ) => ToolFailure | undefined;
  /** Called if a reservation could not be settled: it stays counted, and a lease ends when it expires. */
  readonly onUnsettled: (subject: LimitSubject, error: unknown) => void;
}

/** A call with the limits that concern it. */
export interface LimitedCall {
  readonly subject: LimitSubject;
  readonly limits: readonly CountedLimit[];
  readonly calls: readonly CountedCall[];
  readonly leaseMs: number;
  /** Why one of the limits cannot be counted for this call. */
  readonly fault?: unknown;
}

interface Refusal {
  readonly by: CountedLimit;
  readonly retryAfterMs: number | undefined;
}

type Outcome = { readonly places: readonly Taken['place'][] } | Refusal;

// Leases of a process; unique together with its own beginning.
const PROCESS = Math.random().toString(36).slice(2, 10);
let leases = 0;

/** One counter that is still to be settled. */
interface OpenCall {
  readonly rule: CounterRule;
  readonly key: string;
  readonly place: Taken['place'];
  readonly amount: number;
  readonly used: number;
}

/** The limits of one call: taken all or none before it runs, and settled when it has ended. */
export class HeldLimits {
  #places: readonly Taken['place'][] | undefined;
  #hasRun = false;
  #isOver = false;

  constructor(
    private readonly parts: HoldingParts,
    private readonly call: LimitedCall,
  ) {}

  /** Takes all of the limits or none. Returns the refusal, if there is one; at once if the store is in memory. */
  take(): ToolFailure | undefined | Promise<ToolFailure | undefined> {
    const { calls, leaseMs, fault } = this.call;
    if (fault !== undefined) return this.#unchecked(fault);
    const leaseId = `${PROCESS}${(leases++).toString(36)}`;
    try {
      const outcome = this.#updated<Outcome>(
        calls.map(({ key }) => key),
        (states, now) => {
          const writes: Taken[] = [];
          let refusal: Refusal | undefined;
          calls.forEach(({ counted, amount }, index) => {
            const { rule } = counted;
            const one = taken(rule, states[index], now, { amount, leaseId, leaseMs });
            if (one) writes.push(one);
            else
              refusal = longer(refusal, { by: counted, retryAfterMs: retryAfterMs(rule, states[index], now, amount) });
          });
          if (refusal) return { answer: refusal };
          return { answer: { places: writes.map(({ place }) => place) }, writes };
        },
        (late) => 'places' in late && this.#settle(late.places, true),
      );
      if (!(outcome instanceof Promise)) return this.#answered(outcome);
      return outcome.then(
        (answer) => this.#answered(answer),
        (error: unknown) => this.#unchecked(error),
      );
    } catch (error) {
      return this.#unchecked(error);
    }
  }

  /** The tool begins to run: from here on its call counts, however it ends. */
  begin(): void {
    this.#hasRun = true;
  }

  /**
   * Settles what was taken: leases and unused reservations are given back, or everything if the tool never ran. Never
   * throws.
   *
   * @param result what the caller received; undefined: reservations stay as they are
   */
  end(result: ToolResult | undefined): void | Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#places) return this.#settle(this.#places, !this.#hasRun, result);
  }

  #answered(outcome: Outcome): ToolFailure | undefined {
    if ('places' in outcome) {
      // The call was cancelled while the store worked.
      if (this.#isOver) void this.#settle(outcome.places, true);
      else this.#places = outcome.places;
      return undefined;
    }
    const { by, retryAfterMs: wait } = outcome;
    const { subject } = this.call;
    this.parts.onReached(subject, by, wait);
    return limitReached(subject.tool.name, by.limit.id, wait);
  }

  #unchecked(error: unknown): ToolFailure | undefined {
    const { subject, limits } = this.call;
    return this.parts.onUnchecked(subject, limits, error);
  }

  #settle(places: readonly Taken['place'][], givesAllBack: boolean, result?: ToolResult): void | Promise<void> {
    const { subject, calls } = this.call;
    const open: OpenCall[] = [];
    calls.forEach(({ counted: { rule, unit }, key, amount }, index) => {
      const place = places[index] ?? '';
      if (givesAllBack) open.push({ rule, key, place, amount, used: 0 });
      else if (unit !== 'calls') {
        const used = unit === 'running' ? 0 : this.parts.used(unit, subject, result, amount);
        if (used !== amount) open.push({ rule, key, place, amount, used });
      }
    });
    if (open.length === 0) return;
    try {
      const done = this.#updated(
        open.map(({ key }) => key),
        (states, now) => ({
          answer: undefined,
          writes: open.map((one, index) => settled(one.rule, states[index], now, one, one.used)),
        }),
      );
      if (done instanceof Promise) return done.catch((error: unknown) => this.parts.onUnsettled(subject, error));
    } catch (error) {
      this.parts.onUnsettled(subject, error);
    }
  }

  /** @param onLate gets an answer that came after the deadline, whose writes were made all the same */
  #updated<T>(keys: readonly string[], change: CounterChange<T>, onLate?: (answer: T) => void): T | Promise<T> {
    const answer = this.parts.store.update(keys, change, this.call.subject.context.tenantId);
    if (!(answer instanceof Promise)) return answer;
    let isLate = false;
    answer.then(
      (late) => isLate && onLate?.(late),
      () => undefined,
    );
    return withDeadline(this.parts.storeTimeoutMs, () => answer).catch((error: unknown) => {
      isLate = true;
      throw error;
    });
  }
}

/** The refusal that lasts longer: waiting for the shorter one would only meet the other. */
function longer(known: Refusal | undefined, other: Refusal): Refusal {
  if (!known || other.retryAfterMs === undefined) return other;
  return known.retryAfterMs === undefined || known.retryAfterMs >= other.retryAfterMs ? known : other;
}
