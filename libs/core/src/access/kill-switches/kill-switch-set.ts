import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globTest } from '../../tool/tool-name.js';
import type { KillSwitch } from './kill-switch.js';

/** Finds exact targets with one map lookup each; tests globs one by one. */
class TenantSwitches {
  readonly #tools = new Map<string, KillSwitch>();
  readonly #namespaces = new Map<string, KillSwitch>();
  readonly #tags = new Map<string, KillSwitch>();
  readonly #sideEffects = new Map<string, KillSwitch>();
  readonly #globs: { readonly killSwitch: KillSwitch; readonly matches: (name: string) => boolean }[] = [];

  add(each: KillSwitch): void {
    if (each.kind === 'glob') this.#globs.push({ killSwitch: each, matches: globTest(each.value) });
    else this.#exact(each.kind).set(each.value, each);
  }

  meeting(tool: ToolDefinition): KillSwitch | undefined {
    return this.#meetingExactly(tool) ?? this.#meetingByGlob(tool);
  }

  /** All of them that meet at least one of the tools. */
  meetingAny(tools: Iterable<ToolDefinition>): ReadonlySet<KillSwitch> {
    const matching = new Set<KillSwitch>();
    let globs = this.#globs;
    for (const tool of tools) {
      for (const each of this.#allExactly(tool)) matching.add(each);
      const names = [tool.name, ...tool.aliases];
      // What has met a tool is not tested again: 10,000 globs may meet 100,000 tools.
      const found = globs.filter(({ matches }) => names.some(matches));
      if (found.length > 0) globs = globs.filter((each) => !found.includes(each));
      for (const { killSwitch } of found) matching.add(killSwitch);
    }
    return matching;
  }

  *#allExactly({ name, aliases, sideEffects, namespace, tags }: ToolDefinition): IterableIterator<KillSwitch> {
    const found = [
      ...[name, ...aliases].map((each) => this.#tools.get(each)),
      this.#sideEffects.get(sideEffects),
      ...Array.from(withParents(namespace), (each) => this.#namespaces.get(each)),
      ...tags.map((tag) => this.#tags.get(tag)),
    ];
    for (const each of found) if (each) yield each;
  }

  #meetingExactly({ name, aliases, sideEffects, namespace, tags }: ToolDefinition): KillSwitch | undefined {
    const found = this.#tools.get(name) ?? this.#sideEffects.get(sideEffects);
    if (found) return found;
    if (this.#tools.size > 0) for (const alias of aliases) if (this.#tools.has(alias)) return this.#tools.get(alias);
    if (this.#namespaces.size > 0)
      for (const each of withParents(namespace)) if (this.#namespaces.has(each)) return this.#namespaces.get(each);
    if (this.#tags.size > 0) for (const tag of tags) if (this.#tags.has(tag)) return this.#tags.get(tag);
    return undefined;
  }

  #meetingByGlob({ name, aliases }: ToolDefinition): KillSwitch | undefined {
    for (const { killSwitch, matches } of this.#globs) {
      if (matches(name) || aliases.some(matches)) return killSwitch;
    }
    return undefined;
  }

  #exact(kind: Exclude<KillSwitch['kind'], 'glob'>): Map<string, KillSwitch> {
    const maps = { tool: this.#tools, namespace: this.#namespaces, tag: this.#tags, side_effects: this.#sideEffects };
    return maps[kind];
  }
}

/** All kill switches of one control revision, immutable. Expired switches add no cost to a decision. */
export class KillSwitchSet {
  /** Ascending: the number of past expiries identifies the expired switches. */
  readonly #expiries: readonly number[];
  #live: { readonly expired: number; readonly tenants: ReadonlyMap<string, TenantSwitches> } | undefined;

  constructor(readonly all: readonly KillSwitch[]) {
    this.#expiries = all
      .map(({ expiresAt }) => expiresAt)
      .filter((at) => at > 0)
      .toSorted((a, b) => a - b);
  }

  /** The switch that turns the tool off for the tenant at `now` (epoch milliseconds), or undefined. */
  meeting(tool: ToolDefinition, tenantId: string, now: number): KillSwitch | undefined {
    const tenants = this.#liveTenants(now);
    return tenants.get('')?.meeting(tool) ?? (tenantId === '' ? undefined : tenants.get(tenantId)?.meeting(tool));
  }

  /** The switches for every tenant that turn off at least one of the tools at `now`. Slow for many globs and tools. */
  forAllMeetingAny(tools: Iterable<ToolDefinition>, now: number): ReadonlySet<KillSwitch> {
    return this.#liveTenants(now).get('')?.meetingAny(tools) ?? new Set();
  }

  concerns(tenantId: string, now: number): boolean {
    const tenants = this.#liveTenants(now);
    return tenants.has('') || tenants.has(tenantId);
  }

  liveAt(now: number): number {
    return this.all.length - this.expiredAt(now);
  }

  /** Number of expired switches. The decisions of a set stay the same while this number does. */
  expiredAt(now: number): number {
    let low = 0;
    let high = this.#expiries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#expiries[middle] ?? Infinity) <= now) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #liveTenants(now: number): ReadonlyMap<string, TenantSwitches> {
    const expired = this.expiredAt(now);
    if (this.#live?.expired === expired) return this.#live.tenants;
    const tenants = new Map<string, TenantSwitches>();
    for (const each of this.all) {
      if (!isLive(each, now)) continue;
      const switches = tenants.get(each.tenantId) ?? new TenantSwitches();
      switches.add(each);
      tenants.set(each.tenantId, switches);
    }
    this.#live = { expired, tenants };
    return tenants;
  }
}

export function isLive({ expiresAt }: Pick<KillSwitch, 'expiresAt'>, now: number): boolean {
  // Fails closed: a switch whose expiry is not a number never expires.
  return !(expiresAt > 0 && expiresAt <= now);
}

function* withParents(namespace: string): IterableIterator<string> {
  yield namespace;
  for (let dot = namespace.lastIndexOf('.'); dot > 0; dot = namespace.lastIndexOf('.', dot - 1)) {
    yield namespace.slice(0, dot);
  }
}
