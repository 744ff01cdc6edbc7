import { Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { StoredPolicies, ToolSearchError } from '@tool-search/core';
import { policyKey, type PolicyOwner } from '@tool-search/core/operators';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { PolicyAnswer, policyAnswer, PolicyQuery, PolicyRemoved, SetPolicyBody } from './policies.dto.js';

const CURSOR = new Cursor('policies', isText);

type Owner = Partial<PolicyOwner>;

/** Routes for the policies of tenants and agents. A policy can only restrict. */
@AdminController()
export class PoliciesController {
  constructor(@Inject(StoredPolicies) protected readonly policies: StoredPolicies) {}

  @Get('policies')
  @TenantIn('query.tenantId')
  @AdminRead('List the policies of tenants and agents', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(PolicyAnswer) })
  async listPolicies(@AdminQuery(PolicyQuery) { limit, cursor, tenantId }: PolicyQuery): Promise<Page<PolicyAnswer>> {
    const after = CURSOR.read(cursor);
    const page = { limit: limit + 1, ...(after !== undefined && { after }) };
    const stored = await this.policies.list(page, tenantId);
    return pageOf(stored.map(policyAnswer), limit, CURSOR, policyKey);
  }

  @Get('policies/tenants/:tenantId')
  @TenantIn('params.tenantId')
  @AdminRead('The policy of a tenant', 'NOT_FOUND', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PolicyAnswer })
  tenantPolicy(@AdminParam('tenantId') tenantId: string): Promise<PolicyAnswer> {
    return this.#find({ tenantId });
  }

  @Put('policies/tenants/:tenantId')
  @TenantIn('params.tenantId')
  @AdminDecision('Set the policy of a tenant', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyAnswer })
  setTenantPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyAnswer> {
    return this.#set({ tenantId }, body, operator);
  }

  @Delete('policies/tenants/:tenantId')
  @TenantIn('params.tenantId')
  @AdminDecision('Take the policy of a tenant away', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyRemoved })
  removeTenantPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyRemoved> {
    return this.#remove({ tenantId }, query, operator);
  }

  @Get('policies/agents/:agentId')
  @AdminRead('The policy of an agent in all tenants', 'NOT_FOUND', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PolicyAnswer })
  agentPolicy(@AdminParam('agentId') agentId: string): Promise<PolicyAnswer> {
    return this.#find({ agentId });
  }

  @Put('policies/agents/:agentId')
  @AdminDecision('Set the policy of an agent in all tenants', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyAnswer })
  setAgentPolicy(
    @AdminParam('agentId') agentId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyAnswer> {
    return this.#set({ agentId }, body, operator);
  }

  @Delete('policies/agents/:agentId')
  @AdminDecision('Take the policy of an agent in all tenants away', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyRemoved })
  removeAgentPolicy(
    @AdminParam('agentId') agentId: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyRemoved> {
    return this.#remove({ agentId }, query, operator);
  }

  @Get('policies/tenants/:tenantId/agents/:agentId')
  @TenantIn('params.tenantId')
  @AdminRead('The policy of an agent in one tenant', 'NOT_FOUND', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PolicyAnswer })
  tenantAgentPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminParam('agentId') agentId: string,
  ): Promise<PolicyAnswer> {
    return this.#find({ tenantId, agentId });
  }

  @Put('policies/tenants/:tenantId/agents/:agentId')
  @TenantIn('params.tenantId')
  @AdminDecision('Set the policy of an agent in one tenant', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyAnswer })
  setTenantAgentPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminParam('agentId') agentId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyAnswer> {
    return this.#set({ tenantId, agentId }, body, operator);
  }

  @Delete('policies/tenants/:tenantId/agents/:agentId')
  @TenantIn('params.tenantId')
  @AdminDecision('Take the policy of an agent in one tenant away', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: PolicyRemoved })
  removeTenantAgentPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminParam('agentId') agentId: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicyRemoved> {
    return this.#remove({ tenantId, agentId }, query, operator);
  }

  async #find(owner: Owner): Promise<PolicyAnswer> {
    const stored = await this.policies.find(owner);
    if (stored) return policyAnswer(stored);
    throw new ToolSearchError('NOT_FOUND', 'No policy is stored for this owner.', {
      hint: 'Only what the code and the policies of others say holds for it.',
    });
  }

  async #set(
    owner: Owner,
    { policy, ...body }: Checked<SetPolicyBody>,
    operator: OperatorIdentity,
  ): Promise<PolicyAnswer> {
    return policyAnswer(await this.policies.set(owner, policy, { ...body, ...operator }));
  }

  async #remove(owner: Owner, query: Checked<RemovalQuery>, operator: OperatorIdentity): Promise<PolicyRemoved> {
    return { revision: await this.policies.remove(owner, { ...query, ...operator }) };
  }
}
