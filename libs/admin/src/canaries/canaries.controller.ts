import { Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type CanaryStatus, ToolCanaries } from '@tool-search/core/operators';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import {
  Cursor,
  isAfter,
  isOwnedPlace,
  isText,
  type OwnedPlace,
  type Page,
  pageOf,
  PageOf,
  PageQuery,
} from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { CanaryAnswer, CanaryRemoved, SetCanaryBody, StoredCanaryAnswer } from './canaries.dto.js';

const CANARIES = new Cursor('canaries', isOwnedPlace);
const SHARES = new Cursor('canary-shares', isText);

/** Routes for canaries: which there are, and the shares that operators set in place of the declared ones. */
@AdminController()
export class CanariesController {
  constructor(@Inject(ToolCanaries) protected readonly canaries: ToolCanaries) {}

  @Get('canaries')
  @AdminRead('List the canaries of the catalog and their shares, by owner and tool', 'GATE_CLOSED')
  @ApiOkResponse({ type: PageOf(CanaryAnswer) })
  listCanaries(@AdminQuery(PageQuery) { limit, cursor }: Checked<PageQuery>): Page<CanaryAnswer> {
    const after = CANARIES.read(cursor);
    const all = this.canaries.current();
    const from = after ? all.findIndex(({ tool }) => isAfter([tool.owner, tool.name], after)) : 0;
    const found = from < 0 ? [] : all.slice(from, from + limit + 1);
    return pageOf(found.map(canaryAnswer), limit, CANARIES, ({ owner, tool }): OwnedPlace => [owner, tool]);
  }

  @Get('canary-shares')
  @AdminRead('List the shares that operators have set, by tool', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(StoredCanaryAnswer) })
  async listShares(@AdminQuery(PageQuery) { limit, cursor }: Checked<PageQuery>): Promise<Page<StoredCanaryAnswer>> {
    const after = SHARES.read(cursor);
    const listed = await this.canaries.list({ limit: limit + 1, ...(after !== undefined && { after }) });
    return pageOf(listed, limit, SHARES, ({ tool }) => tool);
  }

  @Put('canary-shares/:tool')
  @AdminDecision('Set the share of a canary, or stop it with 0', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: StoredCanaryAnswer })
  setShare(
    @AdminParam('tool') tool: string,
    @AdminBody(SetCanaryBody) { sharePct, definitionHash, ...body }: Checked<SetCanaryBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<StoredCanaryAnswer> {
    const share = { sharePct, ...(definitionHash !== undefined && { definitionHash }) };
    return this.canaries.set(tool, share, { ...body, ...operator });
  }

  @Delete('canary-shares/:tool')
  @AdminDecision('Remove the share of a canary; the declared one applies again', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: CanaryRemoved })
  async removeShare(
    @AdminParam('tool') tool: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<CanaryRemoved> {
    return { revision: await this.canaries.remove(tool, { ...query, ...operator }) };
  }
}

function canaryAnswer({ tool, sharePct, held, stored }: CanaryStatus): CanaryAnswer {
  const { name, source, owner, hash, description, inputSchema, canary } = tool;
  const decided = { ...(stored && { stored }), ...(held !== undefined && { held }) };
  const shares = { sharePct, declaredPct: canary?.sharePct ?? 0, ...decided };
  return { tool: name, source, owner, ...shares, definitionHash: hash, description, inputSchema };
}
