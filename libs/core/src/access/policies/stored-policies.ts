import { checkStatistics, type EngineTraits } from '../../tool/snapshot/statistics-scope.js';
import type { JsonObject } from '../../json/json.js';
import { isSafeId } from '../../json/safe-text.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../control/control-plane.js';
import { invalidRequest } from '../control/invalid-request.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { StoredRecords } from '../control/stored-records.js';
import { policyKind } from './policy-kind.js';
import { policyKey, type PolicyOwner, policyOwner, type StoredPolicy } from './stored-policy.js';
import { toolPolicy, type ToolPolicy } from './tool-policy.js';

const MAX_GLOBS = 1000;
/** An operator of one tenant must not take the room of all. */
const MAX_POLICIES_OF_TENANT = 1000;

/** Policies of tenants and agents in the control store, managed by operators. A stored policy can only remove tools. */
export class StoredPolicies {
  readonly #records;

  constructor(
    plane: ControlPlane,
    events: ToolEvents,
    private readonly index?: EngineTraits,
    now?: () => number,
  ) {
    this.#records = new StoredRecords(policyKind, plane, events, now);
  }

  /** Policies by key, at most `limit` after `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  list(page: { readonly after?: string; readonly limit: number }, tenantId?: string): Promise<readonly StoredPolicy[]> {
    return this.#records.list(page, tenantId);
  }

  /** The policy of an owner, or undefined. @throws ToolSearchError `INVALID_REQUEST`, `STORE_UNAVAILABLE` */
  async find(owner: Partial<PolicyOwner>): Promise<StoredPolicy | undefined> {
    return this.#records.find(policyKey(policyOwner(owner)));
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
    checkStatistics(this.index, 'the policy of a tenant');
    // A policy that was checked is JSON.
    const value = { ...whose, policy: checkedPolicy(policy) as unknown as JsonObject };
    this.#checkRoom(whose);
    const { tenantId } = whose;
    return this.#records.put({ action: 'policy.set', subject: subjectOf(whose), tenantId, value }, request);
  }

  /**
   * Removes an owner's policy. Returns the control revision of the change.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(owner: Partial<PolicyOwner>, request: OperatorRequest): Promise<number> {
    const whose = policyOwner(owner);
    const { tenantId } = whose;
    const removal = { action: 'policy.removed', subject: subjectOf(whose), tenantId, key: policyKey(whose) } as const;
    const { revision } = await this.#records.remove(removal, request);
    return revision;
  }

  #checkRoom(owner: PolicyOwner): void {
    const { tenantId } = owner;
    const known = this.#records.last();
    if (!known || tenantId === '' || known.has(owner) || known.sizeOf(tenantId) < MAX_POLICIES_OF_TENANT) return;
    throw new ToolSearchError(
      'INVALID_REQUEST',
      `There are ${MAX_POLICIES_OF_TENANT} stored policies of this tenant already.`,
      { hint: 'Nothing was changed. Remove the policies of agents that are gone.' },
    );
  }
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
