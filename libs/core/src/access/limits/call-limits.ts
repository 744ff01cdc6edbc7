import { resultText, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { SettingsOf } from '../../options/options.js';
import { withDeadline } from '../../async/deadline.js';
import { withoutSuggestions } from './completion-limit.js';
import { retryAfterMs, usedOf } from './counter.js';
import { type CountedCall, HeldLimits, type HoldingParts } from './held-limits.js';
import { uncheckedFailure, uncountableFailure } from './limit-failure.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import { type CallSubject, type CountedLimit, counterKeys, type LimitSet, type LimitSubject } from './limit-set.js';
import type { limitsSchema } from './limits-options.js';
import type { LimitStore } from './limit-store.js';

/** The current use of a limit. */
export interface LimitUsage {
  /** May be above `max`: a call that used more than was reserved is counted in full. */
  readonly used: number;
  readonly max: number;
  readonly remaining: number;
}

export interface CallLimitParts {
  readonly store: LimitStore;
  /** The limits in code. */
  readonly own: LimitSet;
  /** The limits of operators. @throws ToolSearchError `GATE_CLOSED` */
  readonly stored: () => LimitSet;
  readonly settings: Omit<SettingsOf<typeof limitsSchema>, 'rules'>;
  /** The most tokens that the model receives for a call of the tool. */
  readonly resultTokens: (tool: ToolDefinition) => number;
  readonly countTokens: (text: string) => number;
  readonly events: ToolEvents;
  readonly reportFault: (tool: string, error: unknown) => void;
}

/** Finds the limits of calls, and counts calls against them. */
export class CallLimits {
  // Shared by all calls, because each call would otherwise create these functions anew.
  readonly #holding: HoldingParts;

  constructor(private readonly parts: CallLimitParts) {
    const { store, settings, reportFault } = parts;
    this.#holding = {
      store,
      storeTimeoutMs: settings.storeTimeoutMs,
      used: (unit, { tool }, result, reserved) => this.#used(unit, tool, result, reserved),
      onReached: (subject, counted, retryAfterMs) => this.#reached(subject, counted, retryAfterMs),
      onUnchecked: (subject, limits, error) => this.#refusalOf(subject, limits, error),
      onUnsettled: ({ tool }, error) => reportFault(tool.name, error),
    };
  }

  /** Whether there is any limit. @throws ToolSearchError `GATE_CLOSED` */
  get isOn(): boolean {
    return this.parts.own.size > 0 || this.parts.stored().size > 0;
  }

  /**
   * The limits of one call, not taken yet; undefined if none concerns it.
   *
   * @param timeoutMs after which the call ends at the latest
   * @throws ToolSearchError `GATE_CLOSED`
   */
  of(given: CallSubject, timeoutMs: number): HeldLimits | undefined {
    if (!this.isOn) return undefined;
    const subject = subjectOf(given);
    const { tool } = subject;
    const limits = this.#matching(subject);
    if (limits.length === 0) return undefined;
    let fault: unknown;
    const calls: CountedCall[] = [];
    for (const counted of limits) {
      try {
        const amount = this.#bound(counted, tool);
        for (const key of counterKeys(counted, subject)) calls.push({ counted, key, amount });
      } catch (error) {
        this.parts.reportFault(tool.name, error);
        if (counted.limit.hard) fault = error;
        else this.#unchecked(subject, [counted], false, error);
      }
    }
    const leaseMs = timeoutMs + this.parts.settings.leaseSlackMs;
    return new HeldLimits(this.#holding, { subject, limits, calls, leaseMs, fault });
  }

  /** The limits of a call with what they hold now, without counting it. @throws the store's error */
  async peek(
    subject: LimitSubject,
  ): Promise<
    readonly { readonly limit: CountedLimit['limit']; readonly usage: LimitUsage; readonly isReached: boolean }[]
  > {
    const counters = await this.#counters(subject, this.#matching(subject));
    return counters.map(({ counted: { limit, rule }, used, isReached }) => ({
      limit,
      usage: { used, max: rule.max, remaining: Math.max(0, rule.max - used) },
      isReached,
    }));
  }

  /**
   * The refusal of suggestions for a call that its limits would not let through now; undefined if they would. Counts nothing.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async refusalOfSuggestions(given: CallSubject): Promise<ToolFailure | undefined> {
    if (!this.isOn) return undefined;
    const subject = subjectOf(given);
    const limits = this.#matching(subject);
    if (limits.length === 0) return undefined;
    try {
      const { storeTimeoutMs } = this.parts.settings;
      const counters = await withDeadline(storeTimeoutMs, () => this.#counters(subject, limits));
      const reached = counters.find(({ isReached }) => isReached);
      if (!reached) return undefined;
      const { counted, state, now } = reached;
      const wait = retryAfterMs(counted.rule, state, now, this.#amountNow(counted, subject.tool));
      this.#reached(subject, counted, wait);
      return withoutSuggestions(subject.tool.name, counted.limit.id, wait);
    } catch (error) {
      return this.#refusalOf(subject, limits, error);
    }
  }

  async #counters(subject: LimitSubject, limits: readonly CountedLimit[]) {
    const keyed = limits.flatMap((counted) => counterKeys(counted, subject).map((key) => ({ counted, key })));
    if (keyed.length === 0) return [];
    const { states, now } = await this.parts.store.peek(keyed.map(({ key }) => key));
    return keyed.map(({ counted }, index) => {
      const state = states[index];
      const used = usedOf(counted.rule, state, now);
      const isReached = used + this.#amountNow(counted, subject.tool) > counted.rule.max;
      return { counted, state, now, used, isReached };
    });
  }

  #matching(subject: LimitSubject): readonly CountedLimit[] {
    const found: CountedLimit[] = [];
    this.parts.own.collect(subject, found);
    this.parts.stored().collect(subject, found);
    return found;
  }

  #reached({ tool, context }: LimitSubject, { limit }: CountedLimit, retryAfterMs: number | undefined): void {
    this.parts.events.emit({
      type: 'limit.reached',
      ...eventIds(context),
      tool: tool.name,
      limit: limit.id,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }

  #refusalOf(subject: LimitSubject, limits: readonly CountedLimit[], error: unknown): ToolFailure | undefined {
    // A fault of the application, not of the store: a soft limit would never count such a call.
    if (isToolSearchError(error) && error.code === 'INTERNAL') {
      this.parts.reportFault(subject.tool.name, error);
      return uncountableFailure(subject.tool.name);
    }
    const isHard = limits.some(({ limit }) => limit.hard);
    this.#unchecked(subject, limits, isHard, error);
    return isHard ? uncheckedFailure(subject.tool.name) : undefined;
  }

  #unchecked({ tool, context }: LimitSubject, limits: readonly CountedLimit[], refused: boolean, error: unknown): void {
    const reason = error instanceof Error ? error.message : 'the store failed';
    const ids = limits.map(({ limit }) => limit.id);
    const { events } = this.parts;
    events.emit({ type: 'limit.unchecked', ...eventIds(context), tool: tool.name, limits: ids, refused, reason });
  }

  #amountNow(counted: CountedLimit, tool: ToolDefinition): number {
    try {
      return this.#bound(counted, tool);
    } catch {
      return Infinity;
    }
  }

  // What a call reserves. @throws for a cost that the application does not give
  #bound({ unit }: CountedLimit, tool: ToolDefinition): number {
    if (unit === 'calls' || unit === 'running') return 1;
    if (unit === 'tokens') return this.parts.resultTokens(tool);
    return wholeAmount(this.parts.settings.cost[unit]?.bound(tool), unit);
  }

  #used(unit: string, tool: ToolDefinition, result: ToolResult | undefined, reserved: number): number {
    if (!result) return reserved;
    const { countTokens, settings, reportFault } = this.parts;
    try {
      if (unit === 'tokens') return countTokens(resultText(result));
      return wholeAmount(settings.cost[unit]?.of(tool, result), unit);
    } catch (error) {
      reportFault(tool.name, error);
      return reserved;
    }
  }
}

function subjectOf({ tool, context, agentIds }: CallSubject): LimitSubject {
  const { agentId } = context;
  return { tool, context, agentIds: agentIds ?? (agentId === undefined ? [] : [agentId]) };
}

function wholeAmount(amount: unknown, unit: string): number {
  // Before it is rounded up: -0.5 would become 0.
  const whole = typeof amount === 'number' && amount >= 0 ? Math.ceil(amount) : NaN;
  if (Number.isSafeInteger(whole)) return whole;
  throw new Error(`limits.cost gives no amount of ${unit}: it must be a number from 0`);
}
