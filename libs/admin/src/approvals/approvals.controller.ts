import { Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, ControlPlane, isToolSearchError, ToolApprovals } from '@tool-search/core';
import { type Approval, ToolCallRecords } from '@tool-search/core/operators';
import { waitingCall } from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { TenantQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity, Person, type PersonIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { ApprovalAnswer, ApprovalQuery, ApproveBody, DecisionBody, ListedApproval } from './approvals.dto.js';

const CURSOR = new Cursor('approvals', isText);
const BATCH = 500;
const MAX_BATCHES = 20;

/** Routes for calls that need the approval of a second person. */
@AdminController()
export class ApprovalsController {
  constructor(
    @Inject(ToolApprovals) protected readonly approvals: ToolApprovals,
    @Inject(ControlPlane) protected readonly plane: ControlPlane,
    @Inject(AuditTrail) protected readonly trail: AuditTrail,
    @Inject(ToolCallRecords) protected readonly records: ToolCallRecords,
  ) {}

  @Get('approvals')
  @TenantIn('query.tenantId')
  @AdminRead('List the approvals that have not expired, by id', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(ListedApproval) })
  async listApprovals(@AdminQuery(ApprovalQuery) query: ApprovalQuery): Promise<Page<ListedApproval>> {
    const { items, ...next } = await this.#page(query);
    const listed: ListedApproval[] = [];
    for (const approval of items) listed.push(await this.#listed(approval));
    return { items: listed, ...next };
  }

  async #listed(approval: Approval): Promise<ListedApproval> {
    const recordsArguments = this.records.recordsArguments(approval.tool);
    // Where nothing of the content is recorded, the record has nothing to add.
    const isAsked = recordsArguments && approval.covers === 'session' && approval.status === 'pending';
    const call = isAsked ? await waitingCall(this.records, approval) : undefined;
    const given = approval.covers === 'call' ? await this.approvals.argumentsOf(approval) : undefined;
    return { ...approval, recordsArguments, ...(given !== undefined && { arguments: given }), ...(call && { call }) };
  }

  async #page(query: ApprovalQuery): Promise<Page<Approval>> {
    const { limit, cursor, tenantId, status } = query;
    const now = this.plane.now();
    const found: Approval[] = [];
    let after = CURSOR.read(cursor);
    // Bounded work: a page may contain fewer items than its limit; its `next` continues.
    for (let batches = 1; ; batches++) {
      const read = await this.approvals.list({ limit: BATCH, ...(after !== undefined && { after }) }, tenantId);
      found.push(...read.filter((each) => each.expiresAt > now && (status === undefined || each.status === status)));
      after = read.at(-1)?.id;
      if (found.length > limit || read.length < BATCH) return pageOf(found, limit, CURSOR, ({ id }) => id);
      if (batches === MAX_BATCHES) return { items: found, ...(after !== undefined && { next: CURSOR.write(after) }) };
    }
  }

  @Post('approvals/:id/approve')
  @TenantIn('query.tenantId')
  @AdminDecision(
    'Let the call run once, or a session or run call the tool for a time',
    'NOT_FOUND',
    'REVISION_CONFLICT',
  )
  @ApiOkResponse({ type: ApprovalAnswer })
  async approve(
    @AdminParam('id') id: string,
    @AdminBody(ApproveBody) body: Checked<ApproveBody>,
    @AdminQuery(TenantQuery) { tenantId }: TenantQuery,
    @Person() person: PersonIdentity,
  ): Promise<ApprovalAnswer> {
    try {
      return await this.approvals.approve(id, { ...body, ...person, ...(tenantId !== undefined && { tenantId }) });
    } catch (error) {
      // A forbidden attempt to approve is recorded in the audit trail.
      if (isToolSearchError(error) && error.code === 'FORBIDDEN') await this.#noteRefusal(id, error.message, person);
      throw error;
    }
  }

  @Post('approvals/:id/refuse')
  @TenantIn('query.tenantId')
  @AdminDecision(
    'Refuse the call, or a session or run the tool, or withdraw its approval',
    'NOT_FOUND',
    'REVISION_CONFLICT',
  )
  @ApiOkResponse({ type: ApprovalAnswer })
  refuse(
    @AdminParam('id') id: string,
    @AdminBody(DecisionBody) body: Checked<DecisionBody>,
    @AdminQuery(TenantQuery) { tenantId }: TenantQuery,
    @Operator() operator: OperatorIdentity,
  ): Promise<ApprovalAnswer> {
    return this.approvals.refuse(id, { ...body, ...operator, ...(tenantId !== undefined && { tenantId }) });
  }

  async #noteRefusal(subject: string, reason: string, { actor, by: { tenantId } }: PersonIdentity): Promise<void> {
    await this.trail.note({ action: 'approval.approve_refused', actor, subject, reason, tenantId });
  }
}
