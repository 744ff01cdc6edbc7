import { Inject, Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { ControlPlane, ToolCatalog } from '@tool-search/core';
import { heldTools } from '../held-tools.js';

/** How the sources of one name are doing; tenants, who have instances of their own, are not told apart. */
interface SourceHealth {
  readonly instances: number;
  readonly ready: number;
  readonly tools: number;
  readonly refused: number;
  /** In quarantine; left out while nobody knows what operators decided. */
  readonly held?: number;
}

/** Answers of a Terminus health check. Provide it in the module of your health controller, next to `TerminusModule`. */
@Injectable()
export class ToolSearchHealthIndicator {
  constructor(
    @Inject(HealthIndicatorService) private readonly indicator: HealthIndicatorService,
    @Inject(ToolCatalog) private readonly catalog: ToolCatalog,
    @Inject(ControlPlane) private readonly control: ControlPlane,
  ) {}

  /** Whether operators' decisions are known: up while they are `ready` or `stale`, down once the gate is `closed`. */
  checkControl<const Key extends string>(key: Key): HealthIndicatorResult<Key> {
    const { state, revision, ageMs } = this.control.health();
    // Infinite before the first look at the store, which JSON does not know.
    const health = { state, revision, ...(Number.isFinite(ageMs) && { ageMs: Math.round(ageMs) }) };
    const check = this.indicator.check(key);
    return state === 'closed' ? check.down(health) : check.up(health);
  }

  /** How many tools there are, and how their sources do. Always up: a source that is down degrades the catalog alone. */
  checkCatalog<const Key extends string>(key: Key): HealthIndicatorResult<Key> {
    const sources: Record<string, SourceHealth> = {};
    const held = heldTools(this.catalog, this.control);
    for (const { source, state, tools, refused } of this.catalog.sources()) {
      const before = sources[source] ?? { instances: 0, ready: 0, tools: 0, refused: 0 };
      sources[source] = {
        instances: before.instances + 1,
        ready: before.ready + (state === 'ready' ? 1 : 0),
        tools: before.tools + tools,
        refused: before.refused + refused.length,
        ...(held && { held: held.get(source) ?? 0 }),
      };
    }
    return this.indicator.check(key).up({ tools: this.catalog.current().tools.length, sources });
  }
}
