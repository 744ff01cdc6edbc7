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

/** What a health check tells. */
export interface HealthOptions {
  /**
   * The names of sources, how each of them does, those of tenants among them, and the control revision. For operators only: names
   * say whom the application works with, and the revision counts what operators do for all tenants. @default false
   */
  readonly details?: boolean;
  /**
   * Counts tools and sources of tenants as well. For applications whose tenants' sources are all there from boot on: where
   * they are loaded at first use, the counts tell everybody when a tenant comes and goes. @default false
   */
  readonly tenants?: boolean;
}

/** Answers of a Terminus health check. Provide it in the module of your health controller, next to `TerminusModule`. */
@Injectable()
export class ToolSearchHealthIndicator {
  constructor(
    @Inject(HealthIndicatorService) private readonly indicator: HealthIndicatorService,
    @Inject(ToolCatalog) private readonly catalog: ToolCatalog,
    @Inject(ControlPlane) private readonly control: ControlPlane,
  ) {}

  /**
   * Whether operators' decisions are known and can be written: up while they are `ready` or `stale`, down once the gate is
   * `closed`, and after a write that failed until one succeeds.
   */
  checkControl<const Key extends string>(
    key: Key,
    { details = false }: HealthOptions = {},
  ): HealthIndicatorResult<Key> {
    const { ageMs, revision, ...known } = this.control.health();
    // Infinite before the first look at the store, which JSON does not know.
    const age = Number.isFinite(ageMs) && { ageMs: Math.round(ageMs) };
    const health = { ...known, ...(details && { revision }), ...age };
    const check = this.indicator.check(key);
    return known.state === 'closed' || !known.writable ? check.down(health) : check.up(health);
  }

  /**
   * How many tools and sources everybody shares, with `tenants` those of tenants as well; with `details` all of them, sources
   * by name. Always up: a source that is down degrades the catalog alone.
   */
  checkCatalog<const Key extends string>(
    key: Key,
    { details = false, tenants = false }: HealthOptions = {},
  ): HealthIndicatorResult<Key> {
    const check = this.indicator.check(key);
    const tools = details || tenants ? this.catalog.tools().length : this.catalog.current().size;
    if (details) return check.up({ tools, sources: this.#sourcesByName() });
    const counted = tenants ? this.catalog.sources() : this.catalog.sources('');
    const ready = counted.filter(({ state }) => state === 'ready').length;
    return check.up({ tools, sources: { instances: counted.length, ready } });
  }

  #sourcesByName(): Record<string, SourceHealth> {
    const byName: Record<string, SourceHealth> = {};
    const held = heldTools(this.catalog, this.control);
    for (const { source, state, tools, refused } of this.catalog.sources()) {
      const one = { instances: 1, ready: state === 'ready' ? 1 : 0, tools, refused: refused.length };
      byName[source] = { ...sum(byName[source] ?? NO_SOURCES, one), ...(held && { held: held.get(source) ?? 0 }) };
    }
    return byName;
  }
}

const NO_SOURCES: SourceHealth = { instances: 0, ready: 0, tools: 0, refused: 0 };

function sum(one: SourceHealth, other: SourceHealth): SourceHealth {
  return {
    instances: one.instances + other.instances,
    ready: one.ready + other.ready,
    tools: one.tools + other.tools,
    refused: one.refused + other.refused,
  };
}
