import { Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import {
  ControlPlane,
  isToolSearchError,
  KillSwitches,
  ToolCatalog,
  ToolPolicies,
  ToolSearchError,
} from '@tool-search/core';
import {
  killSwitchId,
  type KillSwitchReceipt,
  killSwitchTarget,
  type KillSwitchTarget,
  targetMeets,
} from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import type { OperatorAccess } from '../access/operator-access.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { containsText } from '../request/contains-text.js';
import { Access, Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isNumber, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  EngageBody,
  KillSwitchChanged,
  KillSwitchQuery,
  ListedKillSwitch,
  ReleaseBody,
  ReleaseTargetBody,
  WaitQuery,
} from './kill-switches.dto.js';

const CURSOR = new Cursor('kill-switches', isNumber);
const CONFLICTS = ['REVISION_CONFLICT', 'NOT_FOUND'] as const;

/** Routes that disable tools and enable them again. */
@AdminController()
export class KillSwitchesController {
  constructor(
    @Inject(KillSwitches) protected readonly killSwitches: KillSwitches,
    @Inject(ControlPlane) protected readonly plane: ControlPlane,
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
    @Inject(ToolPolicies) protected readonly staticPolicies: ToolPolicies,
  ) {}

  @Get('kill-switches')
  @TenantIn('query.tenantId')
  @AdminRead('List kill switches, the newest first', 'GATE_CLOSED')
  @ApiOkResponse({ type: PageOf(ListedKillSwitch) })
  listKillSwitches(
    @AdminQuery(KillSwitchQuery) query: KillSwitchQuery,
    @Access() { tenants }: OperatorAccess,
  ): Page<ListedKillSwitch> {
    const { limit, cursor, tenantId, state, contains = '' } = query;
    const after = CURSOR.read(cursor) ?? Infinity;
    const matching = this.killSwitches
      .list()
      .map((each) => ({ ...each, live: this.killSwitches.isLive(each) }))
      .filter(({ revision }) => revision < after)
      // The target of a switch for everybody may be the name of another tenant's tool.
      .filter((each) => each.tenantId !== '' || tenants === 'all')
      .filter((each) => tenantId === undefined || each.tenantId === '' || each.tenantId === tenantId)
      .filter(({ live }) => state === undefined || live === (state === 'live'))
      .filter(({ value, reason }) => containsText(contains, value, reason));
    return pageOf(matching, limit, CURSOR, ({ revision }) => revision);
  }

  @Post('kill-switches')
  @TenantIn('body.tenantId')
  @AdminDecision('Engage a kill switch', 'REVISION_CONFLICT', 'CONFIRMATION_REQUIRED')
  @ApiOkResponse({ type: KillSwitchChanged })
  async engageKillSwitch(
    @AdminBody(EngageBody) body: Checked<EngageBody>,
    @AdminQuery(WaitQuery) { waitMs }: WaitQuery,
    @Operator() operator: OperatorIdentity,
    @Access() access: OperatorAccess,
  ): Promise<KillSwitchChanged> {
    const receipt = await this.killSwitches.engage({ ...body, ...operator });
    return this.#changed(receipt, access, waitMs, engageWarning(receipt));
  }

  @Post('kill-switches/release')
  @TenantIn('body.tenantId')
  @AdminDecision('Release the kill switch of a target', ...CONFLICTS, 'STATIC_POLICY')
  @ApiOkResponse({ type: KillSwitchChanged })
  async releaseKillSwitchOf(
    @AdminBody(ReleaseTargetBody) { kind, value, tenantId, ...body }: Checked<ReleaseTargetBody>,
    @AdminQuery(WaitQuery) { waitMs }: WaitQuery,
    @Operator() operator: OperatorIdentity,
    @Access() access: OperatorAccess,
  ): Promise<KillSwitchChanged> {
    const target = killSwitchTarget({ kind, value, tenantId });
    const request = { ...body, ...operator };
    try {
      return await this.#changed(await this.killSwitches.release(killSwitchId(target), request), access, waitMs);
    } catch (error) {
      if (isToolSearchError(error) && error.code === 'NOT_FOUND') throw this.#deniedByCode(target) ?? error;
      throw error;
    }
  }

  @Post('kill-switches/:id/release')
  @AdminDecision('Release a kill switch', ...CONFLICTS)
  @ApiOkResponse({ type: KillSwitchChanged })
  async releaseKillSwitch(
    @AdminParam('id') id: string,
    @AdminBody(ReleaseBody) body: Checked<ReleaseBody>,
    @AdminQuery(WaitQuery) { waitMs }: WaitQuery,
    @Operator() operator: OperatorIdentity,
    @Access() access: OperatorAccess,
  ): Promise<KillSwitchChanged> {
    const request = { ...body, ...operator };
    return this.#changed(await this.killSwitches.release(id, request), access, waitMs);
  }

  async #changed(
    receipt: KillSwitchReceipt,
    { tenants }: OperatorAccess,
    waitMs?: number,
    warning?: string,
  ): Promise<KillSwitchChanged> {
    const { matched } = receipt.killSwitch;
    const changed = { ...receipt, matched, ...(warning !== undefined && { warning }) };
    if (waitMs === undefined) return changed;
    try {
      const { instances, pending } = await this.plane.propagation(receipt.revision, waitMs);
      return { ...changed, pending, ...(tenants === 'all' && { instances }) };
    } catch {
      // The change is already stored: a later error must not look like a failed change.
      return { ...changed, warning: 'It holds in this instance; whether the others have applied it is not known.' };
    }
  }

  #deniedByCode(target: KillSwitchTarget): ToolSearchError | undefined {
    for (const tool of this.catalog.definitions()) {
      const isTheirs = target.tenantId === '' || tool.owner === '' || tool.owner === target.tenantId;
      const refusal = isTheirs && targetMeets(target, tool) && this.staticPolicies.refusal(tool, target.tenantId);
      if (!refusal) continue;
      return new ToolSearchError(
        'STATIC_POLICY',
        `No kill switch keeps ${tool.name} off, but a policy of the application's code: ${refusal.reason} (${refusal.rule}).`,
        { hint: 'Nothing was changed. What the code denies only a change of the code allows.' },
      );
    }
    return undefined;
  }
}

function engageWarning({ killSwitch: { matched, tenantId } }: KillSwitchReceipt): string | undefined {
  if (matched > 0) return undefined;
  const warning = 'No tool matches now. A tool that matches later will be off.';
  return tenantId === '' ? warning : `${warning} Compare the spelling of the tenant: nothing checks that it exists.`;
}
