import { Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolLimits } from '@tool-search/core/operators';
import { limitKey } from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, PageOf, type PageRequest, readPage } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { LimitAnswer, LimitQuery, LimitRemoved, SetLimitBody } from './limits.dto.js';

const CURSOR = new Cursor('limits', isText);

/** Routes for limits: how much may be called, and what their counters hold. Stored limits can only restrict. */
@AdminController()
export class LimitsController {
  constructor(@Inject(ToolLimits) protected readonly limits: ToolLimits) {}

  @Get('limits')
  @AdminRead('List limits, those in code first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(LimitAnswer) })
  listLimits(@AdminQuery(LimitQuery) { limit, cursor, ...counter }: Checked<LimitQuery>): Promise<Page<LimitAnswer>> {
    const read = (page: PageRequest<string>) => this.limits.list(page, counter);
    return readPage({ limit, cursor }, CURSOR, limitKey, read);
  }

  @Put('limits/:id')
  @AdminDecision('Set a limit', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: LimitAnswer })
  async setLimit(
    @AdminParam('id') id: string,
    @AdminBody(SetLimitBody) { limit, ...body }: Checked<SetLimitBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<LimitAnswer> {
    const { limit: set, ...stored } = await this.limits.set({ ...limit, id }, { ...body, ...operator });
    return { limit: set, stored };
  }

  @Delete('limits/:id')
  @AdminDecision('Remove a stored limit', 'NOT_FOUND', 'REVISION_CONFLICT', 'STATIC_POLICY')
  @ApiOkResponse({ type: LimitRemoved })
  async removeLimit(
    @AdminParam('id') id: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<LimitRemoved> {
    return { revision: await this.limits.remove(id, { ...query, ...operator }) };
  }
}
