import { resultText, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { SettingsOf } from '../../options/options.js';
import { usedOf } from './counter.js';
import { type CountedCall, HeldLimits, type HoldingParts } from './held-limits.js';
import { uncheckedFailure, uncountableFailure } from './limit-failure.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import { type CallSubject, type CountedLimit, counterKeys, type LimitSet, type LimitSubject } from './limit-set.js';
import type { limitsOptions } from './limits-options.js';
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
  readonly settings: Omit<SettingsOf<typeof limitsOptions>, 'rules'>;
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
  of({ tool, context, agentIds }: CallSubject, timeoutMs: number): HeldLimits | undefined {
    if (!this.isOn) return undefined;
    const { agentId } = context;
    const subject = { tool, context, agentIds: agentIds ?? (agentId === undefined ? [] : [agentId]) };
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
    const counters = this.#matching(subject).flatMap((counted) =>
      counterKeys(counted, subject).map((key) => ({ counted, key })),
    );
    if (counters.length === 0) return [];
    const { states, now } = await this.parts.store.peek(counters.map(({ key }) => key));
    return counters.map(({ counted }, index) => {
      const { limit, rule } = counted;
      const used = usedOf(rule, states[index], now);
      const amount = this.#amountNow(counted, subject.tool);
      return {
        limit,
        usage: { used, max: rule.max, remaining: Math.max(0, rule.max - used) },
        isReached: used + amount > rule.max,
      };
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

function wholeAmount(amount: unknown, unit: string): number {
  // Before it is rounded up: -0.5 would become 0.
  const whole = typeof amount === 'number' && amount >= 0 ? Math.ceil(amount) : NaN;
  if (Number.isSafeInteger(whole)) return whole;
  throw new Error(`limits.cost gives no amount of ${unit}: it must be a number from 0`);
}
