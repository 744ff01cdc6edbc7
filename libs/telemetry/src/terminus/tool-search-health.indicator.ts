import { Inject, Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { ControlPlane, ToolCatalog } from '@tool-search/core';
import { toolCount } from '@tool-search/core/internal';
import { heldTools, reportedTools } from '../held-tools.js';

/** Health of the sources of one name, over all tenants. */
interface SourceHealth {
  readonly instances: number;
  readonly ready: number;
  readonly tools: number;
  readonly refused: number;
  /** Tools in quarantine; undefined before operators' decisions are known. */
  readonly held?: number;
  /** Usable tools that an inspector suspects and no operator has decided on; undefined as `held`. */
  readonly reported?: number;
}

/** Options of {@link ToolSearchHealthIndicator}'s checks. */
export interface HealthOptions {
  /**
   * Includes the name and health of each source, also of tenants' sources, and the control revision. For operators
   * only: names reveal whom the application works with, and the revision counts operators' changes for all tenants.
   *
   * @default false
   */
  readonly details?: boolean;
  /**
   * Also counts tenants' tools and sources. Use it only if tenants' sources are loaded at boot: if they are loaded at
   * first use, the counts reveal when a tenant comes and goes.
   *
   * @default false
   */
  readonly tenants?: boolean;
}

/** Health checks for Terminus. Provide it in the module of your health controller, next to `TerminusModule`. */
@Injectable()
export class ToolSearchHealthIndicator {
  constructor(
    @Inject(HealthIndicatorService) private readonly indicator: HealthIndicatorService,
    @Inject(ToolCatalog) private readonly catalog: ToolCatalog,
    @Inject(ControlPlane) private readonly control: ControlPlane,
  ) {}

  /**
   * Checks that operators' decisions can be read and written. Up while their state is `ready` or `stale`; down when it
   * is `closed`, and after a failed write until a write succeeds.
   */
  checkControl<const Key extends string>(
    key: Key,
    { details = false }: HealthOptions = {},
  ): HealthIndicatorResult<Key> {
    const { ageMs, revision, ...known } = this.control.health();
    // `Infinity` before the first read of the store, which JSON cannot express.
    const age = Number.isFinite(ageMs) && { ageMs: Math.round(ageMs) };
    const health = { ...known, ...(details && { revision }), ...age };
    const check = this.indicator.check(key);
    return known.state === 'closed' || !known.writable ? check.down(health) : check.up(health);
  }

  /**
   * Reports the number of shared tools and sources; with `tenants` also those of tenants; with `details` all of them,
   * sources by name. Always up: a failed source only degrades the catalog.
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
    const heldCounts = heldTools(this.catalog, this.control);
    const reported = reportedTools(this.catalog, this.control);
    for (const { source, state, tools, refused } of this.catalog.sources()) {
      const one = { instances: 1, ready: state === 'ready' ? 1 : 0, tools, refused: toolCount(refused) };
      byName[source] = {
        ...sum(byName[source] ?? NO_SOURCES, one),
        ...(heldCounts && { held: heldCounts.get(source) ?? 0 }),
        ...(reported && { reported: reported.get(source) ?? 0 }),
      };
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
