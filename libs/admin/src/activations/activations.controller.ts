import { Delete, Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, ToolActivations, ToolSearchError } from '@tool-search/core';
import { AdminController, AdminRead, AdminWrite } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { type Page, PageOf } from '../request/page.js';
import { AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  ActivationAnswer,
  ActivationQuery,
  ActivationsRemoved,
  ActivationStatsAnswer,
  RevokeQuery,
} from './activations.dto.js';

/** Routes for the activations of runs and sessions. */
@AdminController()
export class ActivationsController {
  constructor(
    @Inject(ToolActivations) protected readonly activations: ToolActivations,
    @Inject(AuditTrail) protected readonly trail: AuditTrail,
  ) {}

  @Get('activations')
  @TenantIn('query.tenantId')
  @AdminRead('List what runs and sessions have activated', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(ActivationAnswer) })
  listActivations(@AdminQuery(ActivationQuery) query: Checked<ActivationQuery>): Promise<Page<ActivationAnswer>> {
    const { limit, cursor, ...filter } = query;
    return this.activations.browse(filter, { limit, ...(cursor !== undefined && { after: cursor }) });
  }

  @Get('activations/stats')
  @AdminRead('How much runs and sessions hold', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: ActivationStatsAnswer })
  activationStats(): Promise<ActivationStatsAnswer> {
    return this.activations.stats();
  }

  @Delete('activations')
  @TenantIn('query.tenantId')
  @AdminWrite('Revoke one activation, those of a run or session, of a tenant, or all', 'CONFIRMATION_REQUIRED')
  @ApiOkResponse({ type: ActivationsRemoved })
  async revokeActivations(
    @AdminQuery(RevokeQuery) { reason, confirm, ...filter }: Checked<RevokeQuery>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<ActivationsRemoved> {
    const subject = JSON.stringify(filter);
    if (subject === '{}' && confirm !== 'all') {
      throw new ToolSearchError('CONFIRMATION_REQUIRED', 'This revokes all activations of everybody.', {
        hint: 'Nothing was changed. Send confirm=all if that is meant, or say whose.',
      });
    }
    const { tenantId = '' } = filter;
    const note = { actor, subject, reason, tenantId };
    // The audit entry comes first: without it nothing is revoked.
    await this.trail.note({ ...note, action: 'activation.revoke_asked' });
    const removed = await this.activations.revokeAll(filter);
    await this.trail.note({ ...note, action: 'activation.revoked', subject: `${removed} of ${subject}` });
    return { removed };
  }

  @Post('activations/sweep')
  @AdminWrite('Remove now what has been idle too long')
  @ApiOkResponse({ type: ActivationsRemoved })
  async sweepActivations(@Operator() { actor }: OperatorIdentity): Promise<ActivationsRemoved> {
    const note = { actor, subject: 'idle', reason: 'idle too long', tenantId: '' };
    await this.trail.note({ ...note, action: 'activation.sweep_asked' });
    const removed = await this.activations.sweep();
    await this.trail.note({ ...note, action: 'activation.swept', subject: `${removed} idle runs and sessions` });
    return { removed };
  }
}
