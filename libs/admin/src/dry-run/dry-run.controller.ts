import { Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { DryRun } from '@tool-search/core/operators';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { AdminBody } from '../request/request-part.decorator.js';
import { DryKillSwitchBody, DryLimitBody, DryPolicyBody, DryRunAnswer } from './dry-run.dto.js';

/** Routes that tell what a change would have changed in the newest recorded calls. They set nothing. */
@AdminController()
export class DryRunController {
  constructor(@Inject(DryRun) protected readonly dryRun: DryRun) {}

  @Post('dry-run/kill-switches')
  @TenantIn('body.tenantId')
  @AdminRead('What a kill switch would have changed in recorded calls', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: DryRunAnswer })
  dryKillSwitch(@AdminBody(DryKillSwitchBody) { calls, ...target }: DryKillSwitchBody): Promise<DryRunAnswer> {
    return this.dryRun.killSwitch(target, optionsOf(calls));
  }

  @Post('dry-run/policies')
  @TenantIn('body.tenantId')
  @AdminRead('What a policy, or its removal, would have changed in recorded calls', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: DryRunAnswer })
  dryPolicy(@AdminBody(DryPolicyBody) { calls, policy, ...owner }: DryPolicyBody): Promise<DryRunAnswer> {
    return this.dryRun.policy(owner, policy, optionsOf(calls));
  }

  @Post('dry-run/limits')
  @AdminRead('What a limit would have refused of recorded calls', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: DryRunAnswer })
  dryLimit(@AdminBody(DryLimitBody) { calls, id, limit }: DryLimitBody): Promise<DryRunAnswer> {
    return this.dryRun.limit({ ...limit, id }, optionsOf(calls));
  }
}

function optionsOf(calls: number | undefined) {
  return calls === undefined ? {} : { calls };
}
