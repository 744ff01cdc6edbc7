import { hashNumber, stableHash } from '../../json/stable-hash.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globMatches } from '../../tool/tool-name.js';
import type { CounterRule } from './counter.js';
import { counterRule, type ToolLimit, unitOf } from './limit.js';

/** Who calls what. */
export interface LimitSubject {
  readonly tool: ToolDefinition;
  readonly context: ToolContext;
  /** The agent and those it acts for: a sub-agent's call is also its parents' call. */
  readonly agentIds: readonly string[];
}

/** A call whose agents may be left out: then it is the context's own. */
export type CallSubject = Omit<LimitSubject, 'agentIds'> & { readonly agentIds?: readonly string[] | undefined };

/** A limit with how it counts. */
export interface CountedLimit {
  readonly limit: ToolLimit;
  readonly rule: CounterRule;
  /** `calls`, `running`, `tokens`, or a unit of cost. */
  readonly unit: string;
  /** Begins the keys of its counters; differs for limits that count differently under the same id. */
  readonly prefix: string;
}

/** Immutable set of limits, with the fast answer to which of them concern a call. */
export class LimitSet {
  readonly #everyone: readonly CountedLimit[];
  readonly #byTenant = new Map<string, CountedLimit[]>();
  readonly #known = new WeakMap<ToolDefinition, readonly CountedLimit[]>();

  /** @param origin `code` or `stored`: the same id may exist in both, with counters of its own */
  constructor(
    readonly all: readonly ToolLimit[],
    origin: 'code' | 'stored',
  ) {
    const everyone: CountedLimit[] = [];
    for (const limit of all) {
      const counted = countedLimit(limit, origin);
      const { tenantId } = limit.match;
      if (tenantId === undefined) everyone.push(counted);
      else {
        const known = this.#byTenant.get(tenantId);
        if (known) known.push(counted);
        else this.#byTenant.set(tenantId, [counted]);
      }
    }
    this.#everyone = everyone;
  }

  get size(): number {
    return this.all.length;
  }

  /** Number of limits for one tenant alone, or for all (`undefined`). */
  sizeFor(tenantId: string | undefined): number {
    return tenantId === undefined ? this.#everyone.length : (this.#byTenant.get(tenantId)?.length ?? 0);
  }

  /** Adds the limits that concern a call to `found`. */
  collect(subject: LimitSubject, found: CountedLimit[]): void {
    const { tool, context } = subject;
    for (const counted of this.#everyoneOf(tool)) if (isCallerOf(counted, subject)) found.push(counted);
    if (this.#byTenant.size === 0) return;
    for (const counted of this.#byTenant.get(context.tenantId) ?? []) {
      if (isToolOf(counted, tool) && isCallerOf(counted, subject)) found.push(counted);
    }
  }

  #everyoneOf(tool: ToolDefinition): readonly CountedLimit[] {
    let known = this.#known.get(tool);
    if (!known) this.#known.set(tool, (known = this.#everyone.filter((counted) => isToolOf(counted, tool))));
    return known;
  }
}

function isToolOf({ limit: { match } }: CountedLimit, tool: ToolDefinition): boolean {
  const { tool: named, namespace, tag, sideEffects } = match;
  if (named !== undefined && !globMatches(named, tool.name) && !tool.aliases.some((name) => globMatches(named, name))) {
    return false;
  }
  if (namespace !== undefined && tool.namespace !== namespace && !tool.namespace.startsWith(`${namespace}.`))
    return false;
  if (tag !== undefined && !tool.tags.includes(tag)) return false;
  return sideEffects === undefined || tool.sideEffects === sideEffects;
}

function isCallerOf({ limit: { match } }: CountedLimit, { context, agentIds }: LimitSubject): boolean {
  const { userId, sessionId, agentId } = match;
  if (userId !== undefined && userId !== context.userId) return false;
  if (sessionId !== undefined && sessionId !== context.sessionId) return false;
  return agentId === undefined || agentIds.includes(agentId);
}

/** A limit with how it counts. */
export function countedLimit(limit: ToolLimit, origin: 'code' | 'stored'): CountedLimit {
  const rule = counterRule(limit);
  const unit = unitOf(limit);
  // Without `max`: a limit that is raised or lowered goes on counting.
  const counting = hashNumber(stableHash([{ ...rule, max: 0 }, unit, limit.per.toSorted()])).toString(36);
  return { limit, rule, unit, prefix: `${origin === 'code' ? 'c' : 's'}:${limit.id}:${counting}:` };
}

/**
 * The keys of the counters of a limit that a call uses: one, or one for each agent of the caller's lineage. A caller
 * without a user, agent or session uses the counter that all such callers share.
 */
export function counterKeys(
  { limit, prefix }: CountedLimit,
  { tool: { name, namespace }, context: { tenantId, userId, sessionId }, agentIds }: LimitSubject,
): readonly string[] {
  const { agentId } = limit.match;
  const agents = agentId === undefined ? agentIds : [agentId];
  return keysOf(limit, prefix, { tenantId, userId, sessionId, name, namespace }, agents);
}

interface Dimensions {
  readonly tenantId: string;
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly name: string;
  readonly namespace: string;
}

function keysOf({ per }: ToolLimit, prefix: string, of: Dimensions, agentIds: readonly string[]): readonly string[] {
  if (per.length === 0) return [prefix];
  const has = (dimension: (typeof per)[number]) => per.includes(dimension);
  const parts = [
    // User and session ids belong to a tenant.
    has('tenant') || has('user') || has('session') ? of.tenantId : '',
    has('user') ? (of.userId ?? '') : '',
    has('session') ? (of.sessionId ?? '') : '',
    has('tool') ? of.name : '',
    has('namespace') ? of.namespace : '',
  ];
  if (!has('agent')) return [prefix + JSON.stringify(parts)];
  const agents = agentIds.length === 0 ? [''] : new Set(agentIds);
  return Array.from(agents, (agentId) => prefix + JSON.stringify([...parts, agentId]));
}

/** Names one counter of a limit that has several. What the limit itself matches need not be named. */
export interface NamedCounter {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  /** A canonical name. */
  readonly tool?: string;
  readonly namespace?: string;
}

/** The key of the one counter that is named; undefined if the limit has several and none is. */
export function counterKeyOf({ limit, prefix }: CountedLimit, named: NamedCounter): string | undefined {
  const { per, match } = limit;
  const of: NamedCounter = { ...named, ...match };
  const needed = {
    tenant: of.tenantId,
    user: of.userId,
    session: of.sessionId,
    agent: of.agentId,
    tool: of.tool,
    namespace: of.namespace,
  };
  const isOfTenant = per.some((each) => each === 'tenant' || each === 'user' || each === 'session');
  if (per.some((each) => needed[each] === undefined) || (isOfTenant && of.tenantId === undefined)) return undefined;
  const context = { tenantId: of.tenantId ?? '', userId: of.userId, sessionId: of.sessionId };
  const tool = { name: of.tool ?? '', namespace: of.namespace ?? '' };
  return keysOf(limit, prefix, { ...context, ...tool }, of.agentId === undefined ? [] : [of.agentId])[0];
}
