import { Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolQuarantine } from '@tool-search/core';
import type { QuarantinedTool } from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { containsText } from '../request/contains-text.js';
import { ChangeBody, TenantQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  ApproveSourceBody,
  QuarantineQuery,
  QuarantinedAnswer,
  QuarantinedDetail,
  VerdictAnswer,
  VerdictsAnswer,
} from './quarantine.dto.js';

const CURSOR = new Cursor('quarantine', isText);

/** Routes that release tools from quarantine or keep them there. */
@AdminController()
export class QuarantineController {
  constructor(@Inject(ToolQuarantine) protected readonly quarantine: ToolQuarantine) {}

  @Get('quarantine')
  @TenantIn('query.tenantId')
  @AdminRead('List the tools to review or reviewed, by id', 'GATE_CLOSED')
  @ApiOkResponse({ type: PageOf(QuarantinedAnswer) })
  listQuarantine(@AdminQuery(QuarantineQuery) query: QuarantineQuery): Page<QuarantinedAnswer> {
    return page(this.quarantine.list(), query);
  }

  @Get('reported')
  @TenantIn('query.tenantId')
  @AdminRead('List the tools that are usable although an inspector suspects them, by id', 'GATE_CLOSED')
  @ApiOkResponse({ type: PageOf(QuarantinedAnswer) })
  listReported(@AdminQuery(QuarantineQuery) query: QuarantineQuery): Page<QuarantinedAnswer> {
    return page(this.quarantine.reported(), query);
  }

  @Get('quarantine/:id')
  @TenantIn('query.tenantId')
  @AdminRead(
    'Look at one definition, and at what changed since it was accepted',
    'NOT_FOUND',
    'GATE_CLOSED',
    'STORE_UNAVAILABLE',
  )
  @ApiOkResponse({ type: QuarantinedDetail })
  async findQuarantined(
    @AdminParam('id') id: string,
    @AdminQuery(TenantQuery) { tenantId }: TenantQuery,
  ): Promise<QuarantinedDetail> {
    const tool = this.quarantine.get(id, tenantId);
    const changes = await this.quarantine.changes(id);
    return { ...shown(tool), changes };
  }

  @Post('quarantine/approve')
  @TenantIn('body.owner')
  @AdminDecision('Let everything out that a source has in quarantine', 'REVISION_CONFLICT', 'GATE_CLOSED')
  @ApiOkResponse({ type: VerdictsAnswer })
  async approveSource(
    @AdminBody(ApproveSourceBody) { source, owner = '', confirm, reason }: Checked<ApproveSourceBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<VerdictsAnswer> {
    return { items: await this.quarantine.approveAll({ source, owner, ids: confirm }, { reason, ...operator }) };
  }

  @Post('quarantine/:id/approve')
  @TenantIn('query.tenantId')
  @AdminDecision('Let exactly this definition out', 'NOT_FOUND', 'REVISION_CONFLICT', 'GATE_CLOSED')
  @ApiOkResponse({ type: VerdictAnswer })
  approveQuarantined(
    @AdminParam('id') id: string,
    @AdminBody(ChangeBody) body: Checked<ChangeBody>,
    @AdminQuery(TenantQuery) { tenantId }: TenantQuery,
    @Operator() operator: OperatorIdentity,
  ): Promise<VerdictAnswer> {
    return this.quarantine.decide(id, 'approved', { ...body, ...operator }, tenantId);
  }

  @Post('quarantine/:id/reject')
  @TenantIn('query.tenantId')
  @AdminDecision('Keep exactly this definition in', 'NOT_FOUND', 'REVISION_CONFLICT', 'GATE_CLOSED')
  @ApiOkResponse({ type: VerdictAnswer })
  rejectQuarantined(
    @AdminParam('id') id: string,
    @AdminBody(ChangeBody) body: Checked<ChangeBody>,
    @AdminQuery(TenantQuery) { tenantId }: TenantQuery,
    @Operator() operator: OperatorIdentity,
  ): Promise<VerdictAnswer> {
    return this.quarantine.decide(id, 'rejected', { ...body, ...operator }, tenantId);
  }
}

function page(
  tools: readonly QuarantinedTool[],
  { limit, cursor, tenantId, contains = '' }: QuarantineQuery,
): Page<QuarantinedAnswer> {
  const after = CURSOR.read(cursor) ?? '';
  const found = tools
    .filter(({ id, tool }) => id > after && (tenantId === undefined || tool.owner === tenantId))
    .filter(({ tool: { name, source } }) => containsText(contains, name, source))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit + 1)
    .map(shown);
  return pageOf(found, limit, CURSOR, ({ id }) => id);
}

function shown({ tool, ...rest }: QuarantinedTool) {
  const { name, source, owner, description, inputSchema, hash } = tool;
  return { ...rest, name, source, owner, description, inputSchema, hash };
}
