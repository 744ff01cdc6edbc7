import { periodOf } from './calendar.js';

/**
 * How a counter counts, with the most that it may hold.
 *
 * - `sliding`: no window of `windowMs`, wherever it starts, holds more than `max`.
 * - `fixed`: windows follow each other from the epoch on; at the edge of two windows, up to twice `max` may pass within
 *   one `windowMs`.
 * - `calendar`: days or months of a named zone.
 * - `leases`: what is held at the same time. A lease ends when it is given back or expires.
 */
export type CounterRule = SlidingRule | WindowRule | LeaseRule;

interface SlidingRule {
  readonly kind: 'sliding';
  readonly max: number;
  readonly windowMs: number;
}

type WindowRule =
  | { readonly kind: 'fixed'; readonly max: number; readonly windowMs: number }
  | { readonly kind: 'calendar'; readonly max: number; readonly every: 'day' | 'month'; readonly timeZone: string };

interface LeaseRule {
  readonly kind: 'leases';
  readonly max: number;
}

/**
 * The state of a counter, as stores keep it. Windows: start and amount. Sliding: index and amount of each sub-window,
 * ascending. Leases: id and expiry (epoch milliseconds) of each.
 */
export type CounterState = readonly (string | number)[];

/** A state, and when it stops counting (epoch milliseconds). */
export interface StoredCounter {
  readonly state: CounterState;
  readonly expiresAt: number;
}

/** The amount that one call takes of a counter. */
export interface Taking {
  /** A whole number; 1 for a call. Leases are always one each. */
  readonly amount: number;
  /** Unique among all leases of the counter. */
  readonly leaseId: string;
  /** Milliseconds after which a lease that was not given back is free again. */
  readonly leaseMs: number;
}

/** A counter after something was taken. `place` is where, for {@link settled}. */
export interface Taken extends StoredCounter {
  readonly place: string | number;
}

/** Sub-windows of a sliding window. More make it more exact and its state larger. */
const SUB_WINDOWS = 20;

/** The counter with the amount added; undefined if it does not fit. */
export function taken(
  rule: CounterRule,
  state: CounterState | undefined,
  now: number,
  { amount, leaseId, leaseMs }: Taking,
): Taken | undefined {
  switch (rule.kind) {
    case 'leases': {
      const live = liveLeases(state, now);
      if (live.length / 2 + 1 > rule.max) return undefined;
      const next = [...live, leaseId, now + leaseMs];
      return { state: next, expiresAt: lastExpiry(next), place: leaseId };
    }
    case 'sliding': {
      const cells = liveCells(rule.windowMs, state, now);
      if (sumOf(cells) + amount > rule.max) return undefined;
      const size = cellSize(rule.windowMs);
      // Never before the newest one: a clock that was set back must not put calls where they stop counting earlier.
      const index = Math.max(Math.floor(now / size), cells.length > 0 ? Number(cells.at(-2)) : -Infinity);
      const next = added(cells, index, amount);
      return { state: next, expiresAt: cellEnd(rule.windowMs, index), place: index };
    }
    case 'fixed':
    case 'calendar': {
      const { start, end, used } = windowOf(rule, state, now);
      if (used + amount > rule.max) return undefined;
      return { state: [start, used + amount], expiresAt: end, place: start };
    }
  }
}

/**
 * The counter after a call has ended: `used` replaces the amount that was taken, and a lease is given back. Undefined if
 * nothing changes, as when the window of the call is over.
 *
 * @param used more than was taken is counted too, also beyond the maximum
 */
export function settled(
  rule: CounterRule,
  state: CounterState | undefined,
  now: number,
  { place, amount }: { readonly place: string | number; readonly amount: number },
  used: number,
): StoredCounter | undefined {
  if (!state) return undefined;
  if (rule.kind === 'leases') {
    const at = state.indexOf(place);
    if (at < 0) return undefined;
    const next = [...state.slice(0, at), ...state.slice(at + 2)];
    return { state: next, expiresAt: Math.max(lastExpiry(next), now + 1) };
  }
  for (let at = 0; at < state.length; at += 2) {
    if (state[at] !== place) continue;
    if (used === amount) return undefined;
    const next = [...state];
    next[at + 1] = Math.max(0, Number(state[at + 1]) + used - amount);
    return { state: next, expiresAt: endOf(rule, next, now) };
  }
  return undefined;
}

/** Returns the amount that the counter holds now. */
export function usedOf(rule: CounterRule, state: CounterState | undefined, now: number): number {
  switch (rule.kind) {
    case 'leases':
      return liveLeases(state, now).length / 2;
    case 'sliding':
      return sumOf(liveCells(rule.windowMs, state, now));
    case 'fixed':
    case 'calendar':
      return windowOf(rule, state, now).used;
  }
}

/**
 * Milliseconds until the amount fits, if nothing else is taken meanwhile; undefined if it never fits. Leases may be given
 * back at any time, so for them it is at most a second.
 */
export function retryAfterMs(
  rule: CounterRule,
  state: CounterState | undefined,
  now: number,
  amount: number,
): number | undefined {
  if (amount > rule.max) return undefined;
  switch (rule.kind) {
    case 'leases': {
      const live = liveLeases(state, now);
      const expiries = live.flatMap((each, at) => (at % 2 === 1 ? [Number(each) - now] : []));
      return live.length / 2 < rule.max ? 0 : Math.min(1000, ...expiries);
    }
    case 'sliding': {
      const cells = liveCells(rule.windowMs, state, now);
      let used = sumOf(cells);
      let wait = 0;
      for (let at = 0; at < cells.length && used + amount > rule.max; at += 2) {
        used -= Number(cells[at + 1]);
        wait = cellEnd(rule.windowMs, Number(cells[at])) - now;
      }
      return wait;
    }
    case 'fixed':
    case 'calendar': {
      const { end, used } = windowOf(rule, state, now);
      return used + amount > rule.max ? end - now : 0;
    }
  }
}

function endOf(rule: SlidingRule | WindowRule, state: CounterState, now: number): number {
  if (rule.kind === 'sliding') return cellEnd(rule.windowMs, Number(state.at(-2)));
  return windowOf(rule, state, now).end;
}

// The window of a state that is ahead of the clock counts on, because the clock was set back; but only the next one, so
// that a clock that was wrong for a while does not block a counter for years.
function windowOf(rule: WindowRule, state: CounterState | undefined, now: number) {
  const [start = -Infinity, used = 0] = (state ?? []) as readonly number[];
  let window = boundsOf(rule, now);
  if (start === window.end) window = boundsOf(rule, start);
  return { ...window, used: start === window.start ? used : 0 };
}

function boundsOf(rule: WindowRule, now: number) {
  if (rule.kind === 'calendar') return periodOf(now, rule.every, rule.timeZone);
  const start = Math.floor(now / rule.windowMs) * rule.windowMs;
  return { start, end: start + rule.windowMs };
}

function cellSize(windowMs: number): number {
  return Math.ceil(windowMs / SUB_WINDOWS);
}

// A call may have come at the very end of its sub-window, so the whole sub-window counts until then plus `windowMs`.
// That is exact or up to a twentieth of the window too long, and never too short.
function cellEnd(windowMs: number, index: number): number {
  return (index + 1) * cellSize(windowMs) + windowMs;
}

/** Sub-windows that still count. Those further ahead than a window were written by a clock that was wrong. */
function liveCells(windowMs: number, state: CounterState | undefined, now: number): CounterState {
  if (!state) return [];
  const size = cellSize(windowMs);
  let from = 0;
  while (from < state.length && cellEnd(windowMs, Number(state[from])) <= now) from += 2;
  let to = state.length;
  while (to > from && Number(state[to - 2]) * size > now + windowMs) to -= 2;
  return from === 0 && to === state.length ? state : state.slice(from, to);
}

function sumOf(cells: CounterState): number {
  let sum = 0;
  for (let at = 1; at < cells.length; at += 2) sum += Number(cells[at]);
  return sum;
}

function added(cells: CounterState, index: number, amount: number): CounterState {
  if (cells.at(-2) !== index) return [...cells, index, amount];
  const next = [...cells];
  next[next.length - 1] = Number(cells.at(-1)) + amount;
  return next;
}

function liveLeases(state: CounterState | undefined, now: number): CounterState {
  if (!state) return [];
  let isWhole = true;
  for (let at = 1; at < state.length && isWhole; at += 2) isWhole = Number(state[at]) > now;
  if (isWhole) return state;
  return state.filter((_, at) => Number(state[at % 2 === 0 ? at + 1 : at]) > now);
}

function lastExpiry(leases: CounterState): number {
  let last = 0;
  for (let at = 1; at < leases.length; at += 2) last = Math.max(last, Number(leases[at]));
  return last;
}
