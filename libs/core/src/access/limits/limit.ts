import { z } from 'zod';
import { isObject } from '../../json/json.js';
import { isSafeId } from '../../json/safe-text.js';
import {
  described,
  flag,
  list,
  object,
  oneOf,
  type OptionsOf,
  rule,
  type SettingsOf,
  value,
  whole,
} from '../../options/options.js';
import { parseOptions } from '../../options/parse-options.js';
import { glob, namespace, sideEffects } from '../../tool/source/source-options.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ReadRecord } from '../control/control-kind.js';
import { readFields } from '../control/record-fields.js';
import { type StoredDecision, storedDecision } from '../control/stored-decision.js';
import { isTimeZone } from './calendar.js';
import type { CounterRule } from './counter.js';

const MAX_WINDOW_MS = 31 * 86_400_000;
const MAX_CALLS = 1_000_000_000;
/** The state of a counter holds each lease. */
const MAX_RUNNING = 1000;

/** Dimensions by which a limit can have separate counters. */
export const LIMIT_DIMENSIONS = ['tenant', 'user', 'agent', 'session', 'tool', 'namespace'] as const;

/** A dimension of {@link LIMIT_DIMENSIONS}. */
export type LimitDimension = (typeof LIMIT_DIMENSIONS)[number];

const matchOptions = object({
  tenantId: callerId().optional(),
  userId: callerId().optional(),
  /** An agent, also as one that acts for others: the calls of its sub-agents are its calls. */
  agentId: callerId().optional(),
  sessionId: callerId().optional(),
  /** A canonical name or glob (`*` crosses dots); aliases match too. */
  tool: glob().optional(),
  /** A namespace and those below it. */
  namespace: namespace().optional(),
  tag: value<string>((given) => isSafeId(given, 64), 'a tag of 1 to 64 visible characters').optional(),
  sideEffects: sideEffects().optional(),
});

const rateOptions = object({
  calls: whole(1, MAX_CALLS),
  /** Milliseconds. */
  windowMs: whole(1000, MAX_WINDOW_MS),
  /**
   * `sliding`: no window of this length ever holds more calls; a call may count up to a twentieth of the window longer.
   * `fixed`: windows start at multiples of `windowMs`; twice the calls may pass around the edge of two windows.
   */
  window: oneOf('sliding', 'fixed').default('sliding'),
});

const concurrencyOptions = object({
  /** Calls that run at the same time. */
  calls: whole(1, MAX_RUNNING),
});

const budgetOptions = object({
  /** `calls`, `tokens` of results as the model receives them, or a unit of `limits.cost`. @default 'calls' */
  of: unit().default('calls'),
  /** @default 'day' */
  every: oneOf('day', 'month').default('day'),
  /** The zone whose days and months count, for example `Europe/Berlin`. @default 'UTC' */
  timeZone: described(z.string().refine(isTimeZone), 'the name of a time zone, for example "Europe/Berlin"').default(
    'UTC',
  ),
  /** In whole units. */
  max: whole(1, Number.MAX_SAFE_INTEGER),
});

export const limitOptions = object({
  /** Unique among the limits in code, and among the stored ones; refusals name it. */
  id: described(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), 'a text of 1 to 64 of letters, digits, "_", "-" and "."'),
  /** The calls that the limit concerns: all given members must match. @default every call */
  match: matchOptions.default({}),
  /**
   * Each combination of these has a counter of its own. Users and sessions are distinguished by tenant too; calls without a
   * user, agent or session share one counter. @default [] one counter for all
   */
  per: list(oneOf(...LIMIT_DIMENSIONS)).default([]),
  rate: rateOptions.optional(),
  concurrency: concurrencyOptions.optional(),
  budget: budgetOptions.optional(),
  /** While the counters cannot be read: `true` refuses the calls, `false` lets them run unchecked, with an event. */
  hard: flag().default(true),
}).check(
  rule(
    'rate',
    'the only one of rate, concurrency and budget: a limit has exactly one of them',
    ({ rate, concurrency, budget }) => [rate, concurrency, budget].filter((each) => each !== undefined).length === 1,
  ),
);

/** How much of some calls may happen: a rate, a number of calls at the same time, or a budget. */
export interface ToolLimit extends SettingsOf<typeof limitOptions> {}

/** A {@link ToolLimit} as an application gives it: what has a default may be left out. */
export interface GivenLimit extends OptionsOf<typeof limitOptions> {}

/** A limit in the control store. */
export interface StoredLimit extends StoredDecision {
  readonly limit: ToolLimit;
}

/** Checks a limit of an operator's request and fills in its defaults. @throws ToolSearchError `INVALID_REQUEST` */
export function toolLimit(raw: unknown): ToolLimit {
  try {
    return parseOptions(limitOptions, raw, 'The limit');
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    throw new ToolSearchError('INVALID_REQUEST', error.message, {
      hint: 'Nothing was changed. Correct the limit and send it again.',
    });
  }
}

/** Parses a stored record. @throws ToolSearchError `INTERNAL` or `INVALID_REQUEST` for an invalid one */
export function storedLimitOf({ value: stored, revision }: ReadRecord): StoredLimit {
  const limit = isObject(stored['limit']) ? stored['limit'] : {};
  return { limit: toolLimit(limit), ...readFields(storedDecision, stored), revision };
}

/** Returns the unit of a limit: calls, calls at the same time (`running`), tokens of results, or a unit of cost. */
export function unitOf({ concurrency, budget }: ToolLimit): string {
  if (concurrency) return 'running';
  return budget?.of ?? 'calls';
}

/** How the counters of a limit count. */
export function counterRule({ rate, concurrency, budget }: ToolLimit): CounterRule {
  if (rate) {
    const { window: kind, calls: max, windowMs } = rate;
    return kind === 'fixed' ? { kind, max, windowMs } : { kind, max, windowMs };
  }
  if (concurrency) return { kind: 'leases', max: concurrency.calls };
  const { max = 0, every = 'day', timeZone = 'UTC' } = budget ?? {};
  return { kind: 'calendar', max, every, timeZone };
}

/**
 * Refuses a budget that could never let a call through, or that this process cannot count.
 *
 * @throws ToolSearchError `INVALID_REQUEST` or `INVALID_CONFIGURATION`
 */
export function checkCountable(
  { id, budget }: ToolLimit,
  units: readonly string[],
  resultTokens: number,
  code: 'INVALID_REQUEST' | 'INVALID_CONFIGURATION',
): void {
  if (!budget || budget.of === 'calls') return;
  if (budget.of === 'tokens') {
    if (budget.max >= resultTokens) return;
    throw new ToolSearchError(
      code,
      `The limit ${id} would let no call through: one result reserves ${resultTokens} tokens.`,
      {
        hint: 'Raise budget.max, or lower results.maxTokens or tuning.limits.resultTokens.',
      },
    );
  }
  if (units.includes(budget.of)) return;
  throw new ToolSearchError(code, `The limit ${id} counts a unit of cost that the application does not give.`, {
    hint: 'Give it in the option limits.cost, or count calls or tokens.',
  });
}

function callerId() {
  return value<string>((given) => isSafeId(given, 256), 'a text of 1 to 256 visible characters');
}

function unit() {
  return described(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/), '"calls", "tokens" or a unit of limits.cost');
}
