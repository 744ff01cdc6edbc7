import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { eventIds, type ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { failure, type ToolFailure } from '../../tool/tool-result.js';
import { type CounterRule, type CounterState, retryAfterMs, taken } from './counter.js';

/** The name of this limit in refusals, events and records. */
const ID = 'completions';
const WINDOW_MS = 60_000;
/** Beyond them the tenant with the most users forgets one. */
const MAX_USERS = 10_000;

/**
 * How many suggestions each user may ask for in a minute, on this process. Not in the store of the other limits: a key press
 * must not cost a write to a database, nor take the room of counters that calls need.
 */
export class CompletionLimit {
  readonly #users = new TenantFairLru<CounterState>(MAX_USERS);
  readonly #rule: CounterRule;
  #latest = -Infinity;

  /** @param clock epoch milliseconds */
  constructor(
    perMinute: number,
    private readonly events: ToolEvents,
    private readonly clock: () => number,
  ) {
    this.#rule = { kind: 'sliding', max: perMinute, windowMs: WINDOW_MS };
  }

  /** Counts a request for suggestions; returns the refusal if there were too many. Callers without a user share a counter. */
  take(tool: ToolDefinition, context: ToolContext): ToolFailure | undefined {
    const { tenantId, userId = '' } = context;
    // Never before the latest time: a clock that is set back must not forget.
    const now = (this.#latest = Math.max(this.#latest, this.clock()));
    const state = this.#users.get(tenantId, userId);
    const next = taken(this.#rule, state, now, { amount: 1, leaseId: '', leaseMs: 0 });
    if (next) {
      this.#users.set(tenantId, userId, next.state);
      return undefined;
    }
    const wait = retryAfterMs(this.#rule, state, now, 1) ?? WINDOW_MS;
    this.events.emit({
      type: 'limit.reached',
      ...eventIds(context),
      tool: tool.name,
      limit: ID,
      retryAfterMs: wait,
    });
    return withoutSuggestions(tool.name, ID, wait);
  }
}

/** The refusal of suggestions. @param retryAfterMs undefined: waiting does not help */
export function withoutSuggestions(tool: string, limit: string, retryAfterMs: number | undefined): ToolFailure {
  const message = `There are no suggestions for ${tool} now: the limit ${limit} is reached.`;
  if (retryAfterMs === undefined) return { ...failure('LIMIT_REACHED', message, 'Enter the value yourself.'), limit };
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const hint = `Enter the value yourself, or ask again in ${retryAfterSeconds} s.`;
  return { ...failure('LIMIT_REACHED', message, hint), limit, retryAfterSeconds };
}
