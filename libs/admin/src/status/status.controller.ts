import { setTimeout } from 'node:timers/promises';
import { Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ControlPlane, KillSwitches, ToolCatalog } from '@tool-search/core';
import { killSwitchKind, SourceQueue } from '@tool-search/core/operators';
import { type ControlSnapshot, verdictKind } from '@tool-search/core/internal';
import { ADMIN_LIMITS } from '../access/admin-throttler.guard.js';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import type { OperatorAccess } from '../access/operator-access.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Access, Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { AdminQuery } from '../request/request-part.decorator.js';
import type { ToolAdminOptions } from '../tool-admin.options.js';
import { MeAnswer, StatusAnswer, type StatusCounts, StatusQuery } from './status.dto.js';

const STORE_WAIT_MS = 1000;
const MAX_QUEUES = 100;

/** All kill switches of one revision. */
type KillSwitchSet = ReturnType<(typeof killSwitchKind)['partOf']>;
type CatalogSnapshot = ReturnType<ToolCatalog['current']>;

/** Whether something is shared, or of the tenant that was asked for. */
type IsOpen = (each: { readonly owner: string }) => boolean;

/** Route for the state of the operators' decisions. */
@AdminController()
export class StatusController {
  // Not a parameter of the constructor, so that constructors of classes that extend this one stay as they are.
  @Inject(SourceQueue) protected readonly queue: SourceQueue;
  @Inject(KillSwitches) protected readonly killSwitches: KillSwitches;
  @Inject(ADMIN_LIMITS) protected readonly settings: Required<ToolAdminOptions>;
  // Every console asks every two seconds.
  readonly #forAll = new WeakMap<CatalogSnapshot, { switches: KillSwitchSet; expired: number; count: number }>();

  constructor(
    @Inject(ControlPlane) protected readonly plane: ControlPlane,
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
  ) {}

  @Get('status')
  @TenantIn('query.tenantId')
  @AdminRead('How fresh the decisions of operators are, and how much there is')
  @ApiOkResponse({ type: StatusAnswer })
  async status(@AdminQuery(StatusQuery) { tenantId }: StatusQuery): Promise<StatusAnswer> {
    const { ageMs, ...health } = this.plane.health();
    const instances = tenantId === undefined ? await this.#instances() : undefined;
    // How busy a shared source is shows what other tenants do.
    const queues = this.queue.status().filter(({ owner }) => tenantId === undefined || owner === tenantId);
    return {
      ...health,
      ageMs: Number.isFinite(ageMs) ? Math.round(ageMs) : null,
      instanceId: this.plane.instanceId,
      ...(instances && { instances }),
      counts: this.#counts(tenantId),
      queues: queues.slice(0, MAX_QUEUES),
    };
  }

  @Get('me')
  @TenantIn()
  @AdminRead('Who this operator is, and what they may see and change')
  @ApiOkResponse({ type: MeAnswer })
  me(@Operator() { actor }: OperatorIdentity, @Access() access: OperatorAccess): MeAnswer {
    return { actor, ...access, callerFields: this.settings.callerFields };
  }

  async #instances() {
    // Bounded wait: this route must respond when the store is down or does not answer.
    const late = setTimeout(STORE_WAIT_MS, undefined, { ref: false });
    return Promise.race([this.plane.instances().catch(() => undefined), late]);
  }

  #counts(tenantId: string | undefined): StatusCounts {
    const isOpen: IsOpen = ({ owner }) => tenantId === undefined || owner === '' || owner === tenantId;
    const sources = this.catalog.sources().filter(isOpen);
    const snapshot = this.plane.snapshot();
    const verdicts = snapshot?.of(verdictKind);
    const counts = { tools: 0, reported: 0, quarantined: 0 };
    for (const each of this.catalog.definitions()) {
      if (each.kind !== undefined || !isOpen(each)) continue;
      counts.tools++;
      if (!verdicts) continue;
      if (each.finding && !verdicts.of(each)) counts.reported++;
      if (verdicts.refusal(each)) counts.quarantined++;
    }
    return {
      ...counts,
      sources: sources.length,
      sourcesNotReady: sources.filter(({ state }) => state !== 'ready').length,
      killSwitches: this.#liveSwitches(snapshot, tenantId),
    };
  }

  #liveSwitches(snapshot: ControlSnapshot | undefined, tenantId: string | undefined): number {
    if (!snapshot) return 0;
    const [switches, now] = [snapshot.of(killSwitchKind), this.plane.now()];
    if (tenantId === undefined) return switches.liveAt(now);
    const own = switches.all.filter((each) => each.tenantId === tenantId && this.killSwitches.isLive(each));
    return own.length + this.#forAllAt(switches, this.catalog.current(tenantId), now);
  }

  /** How many switches for everybody keep a tool of a snapshot off: the target of one may be a tool of others. */
  #forAllAt(switches: KillSwitchSet, snapshot: CatalogSnapshot, now: number): number {
    const expired = switches.expiredAt(now);
    const known = this.#forAll.get(snapshot);
    if (known?.switches === switches && known.expired === expired) return known.count;
    const tools = [...(snapshot.below?.ownGoverned ?? []), ...snapshot.ownGoverned];
    const count = switches.forAllMeetingAny(tools, now).size;
    this.#forAll.set(snapshot, { switches, expired, count });
    return count;
  }
}
