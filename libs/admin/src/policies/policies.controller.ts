import { Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { StoredPolicies, ToolCatalog, ToolSearchError } from '@tool-search/core';
import { policyKey, type PolicyOwner, unknownArguments } from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, PageOf, type PageRequest, readPage } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  PolicyAnswer,
  policyAnswer,
  PolicyQuery,
  PolicyRemoved,
  PolicySetAnswer,
  SetPolicyBody,
} from './policies.dto.js';

const CURSOR = new Cursor('policies', isText);

type Owner = Partial<PolicyOwner>;

/** Routes for the policies of tenants and agents. A policy can only restrict. */
@AdminController()
export class PoliciesController {
  constructor(
    @Inject(StoredPolicies) protected readonly policies: StoredPolicies,
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
  ) {}

  @Get('policies')
  @TenantIn('query.tenantId')
  @AdminRead('List the policies of tenants and agents', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(PolicyAnswer) })
  listPolicies(@AdminQuery(PolicyQuery) { tenantId, ...query }: PolicyQuery): Promise<Page<PolicyAnswer>> {
    const read = async (page: PageRequest<string>) => (await this.policies.list(page, tenantId)).map(policyAnswer);
    return readPage(query, CURSOR, policyKey, read);
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
  @ApiOkResponse({ type: PolicySetAnswer })
  setTenantPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicySetAnswer> {
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
  @ApiOkResponse({ type: PolicySetAnswer })
  setAgentPolicy(
    @AdminParam('agentId') agentId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicySetAnswer> {
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
  @ApiOkResponse({ type: PolicySetAnswer })
  setTenantAgentPolicy(
    @AdminParam('tenantId') tenantId: string,
    @AdminParam('agentId') agentId: string,
    @AdminBody(SetPolicyBody) body: Checked<SetPolicyBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<PolicySetAnswer> {
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
  ): Promise<PolicySetAnswer> {
    const stored = await this.policies.set(owner, policy, { ...body, ...operator });
    const warnings = unknownArguments(stored.policy.arguments, this.catalog.tools());
    return Object.assign(policyAnswer(stored), { warnings });
  }

  async #remove(owner: Owner, query: Checked<RemovalQuery>, operator: OperatorIdentity): Promise<PolicyRemoved> {
    return { revision: await this.policies.remove(owner, { ...query, ...operator }) };
  }
}
