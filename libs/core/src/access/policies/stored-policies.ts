import { checkStatistics, type EngineTraits } from '../../tool/snapshot/statistics-scope.js';
import { isSafeId } from '../../json/safe-text.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { ControlRecord } from '../control/control-store.js';
import { invalidRequest } from '../control/invalid-request.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';
import { policyKey, type PolicyOwner, policyOwner, type StoredPolicy, storedPolicyOf } from './stored-policy.js';
import { toolPolicy, type ToolPolicy } from './tool-policy.js';

const MAX_GLOBS = 1000;
const MAX_POLICIES = 10_000;

/** Policies of tenants and agents in the control store, managed by operators. A stored policy can only remove tools. */
export class StoredPolicies {
  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    private readonly index?: EngineTraits,
    private readonly now: () => number = () => plane.now(),
  ) {}

  /** Policies by key, at most `limit` after `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(
    page: { readonly after?: string; readonly limit: number },
    tenantId?: string,
  ): Promise<readonly StoredPolicy[]> {
    const records = await this.plane.guarded(() => this.plane.store.list('policy', page, tenantId));
    return records.map(storedPolicyOf);
  }

  /** The policy of an owner, or undefined. @throws ToolSearchError `INVALID_REQUEST`, `STORE_UNAVAILABLE` */
  async find(owner: Partial<PolicyOwner>): Promise<StoredPolicy | undefined> {
    const key = policyKey(policyOwner(owner));
    const record = await this.plane.guarded(() => this.plane.store.find('policy', key));
    return record && storedPolicyOf(record);
  }

  /**
   * Sets an owner's policy. When this resolves, this process has applied it.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`; `INVALID_CONFIGURATION` when
   *   the search engine cannot separate tenants
   */
  async set(owner: Partial<PolicyOwner>, policy: ToolPolicy, request: OperatorRequest): Promise<StoredPolicy> {
    const whose = policyOwner(owner);
    checkVisible(whose);
    const common = operatorRequest(request);
    checkStatistics(this.index, 'the policy of a tenant');
    const checked = checkedPolicy(policy);
    const known = this.plane.snapshot()?.policies;
    if (known && known.size >= MAX_POLICIES && !known.has(whose)) {
      throw new ToolSearchError('INVALID_REQUEST', `There are ${MAX_POLICIES} stored policies already.`, {
        hint: 'Nothing was changed. Remove the policies of tenants and agents that are gone.',
      });
    }
    const { actor, reason } = common;
    const stored = { ...whose, policy: { ...checked }, reason, actor, changedAt: this.now() };
    const record = { ...recordOf(whose), value: stored, expiresAt: 0 };
    const { tenantId } = whose;
    const said = { action: 'policy.set', subject: subjectOf(whose), tenantId, at: stored.changedAt };
    const { entry, isNew } = await madeChange(this.plane, { ...common, ...said, put: record }, 'the policy');
    if (isNew) this.#tell('policy.set', whose, entry.revision, actor);
    return storedPolicyOf({ value: entry.after ?? {}, revision: entry.revision });
  }

  /**
   * Removes an owner's policy. Returns the control revision of the change.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(owner: Partial<PolicyOwner>, request: OperatorRequest): Promise<number> {
    const whose = policyOwner(owner);
    const common = operatorRequest(request);
    const { kind, key, tenantId } = recordOf(whose);
    const said = { action: 'policy.removed', subject: subjectOf(whose), tenantId, at: this.now() };
    const change = { ...common, ...said, remove: { kind, key } };
    const { entry, isNew } = await madeChange(this.plane, change, 'the policy');
    const { revision } = entry;
    if (isNew) this.#tell('policy.removed', whose, revision, common.actor);
    return revision;
  }

  #tell(
    type: 'policy.set' | 'policy.removed',
    { tenantId, agentId }: PolicyOwner,
    revision: number,
    actor: string,
  ): void {
    this.events.emit({ type, tenantId, ...(agentId !== '' && { agentId }), revision, actor });
  }
}

function recordOf(owner: PolicyOwner): Pick<ControlRecord, 'kind' | 'key' | 'tenantId'> {
  return { kind: 'policy', key: policyKey(owner), tenantId: owner.tenantId };
}

function subjectOf({ tenantId, agentId }: PolicyOwner): string {
  return agentId === '' ? `tenant ${tenantId}` : `agent ${agentId}${tenantId === '' ? '' : ` of tenant ${tenantId}`}`;
}

// Checks new policies only: stored ones must stay readable and removable.
function checkVisible({ tenantId, agentId }: PolicyOwner): void {
  for (const [field, id] of Object.entries({ tenantId, agentId })) {
    if (id === '' || isSafeId(id, 256)) continue;
    throw invalidRequest('The request', `${field} must have no invisible characters and no blanks around it.`);
  }
}

// `toolPolicy` reports `INVALID_CONFIGURATION`, which is for application code; an operator's request gets
// `INVALID_REQUEST`.
/** Checks a policy that an operator wrote. @throws ToolSearchError `INVALID_REQUEST` */
export function checkedPolicy(raw: ToolPolicy): ToolPolicy {
  try {
    const policy = toolPolicy(raw, 'policy');
    const { allow = [], deny = [], requireTags = [], approval = [] } = policy;
    if ([allow, deny, requireTags, approval].some((list) => list.length > MAX_GLOBS)) {
      throw new ToolSearchError('INVALID_REQUEST', `A list of a policy has at most ${MAX_GLOBS} entries.`);
    }
    return policy;
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    throw new ToolSearchError('INVALID_REQUEST', error.message, {
      hint: `Nothing was changed. ${error.hint ?? 'Correct the policy and send it again.'}`,
    });
  }
}
