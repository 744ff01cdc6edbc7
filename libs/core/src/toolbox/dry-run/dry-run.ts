import type { ArgumentRule } from '../../access/arguments/argument-rule.js';
import { decidingRule, rulesOn } from '../../access/arguments/argument-verdict.js';
import { type KillSwitchTarget, killSwitchTarget, targetMeets } from '../../access/kill-switches/kill-switch.js';
import { type GivenLimit, toolLimit } from '../../access/limits/limit.js';
import { checkedPolicy } from '../../access/policies/stored-policies.js';
import { type PolicyOwner, policyOwner } from '../../access/policies/stored-policy.js';
import { approvalRule, policyRefusal, type ToolPolicy } from '../../access/policies/tool-policy.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import { isObject, type JsonObject, parsedJson } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globMatches } from '../../tool/tool-name.js';
import type { CallRecord } from '../record/call-record.js';
import type { ToolCallRecords } from '../record/tool-call-records.js';
import { type DryRunEffect, type DryRunReport, dryRunReport } from './dry-run-report.js';
import { limitEffects } from './limit-dry-run.js';

/** Which recorded calls a dry run looks at. */
export interface DryRunOptions {
  /** How many of the newest calls, 1 to 10,000; of one tenant, if the change concerns only this tenant. @default 1000 */
  readonly calls?: number;
}

const MAX_CALLS = 10_000;
const PAGE = 200;
/** Layers in which a stored policy decides. */
const OWN_LAYERS: readonly string[] = ['policy', 'arguments', 'approval'];
const UNKNOWN: DryRunEffect = { becomes: 'unknown', evidence: 'not_recorded' };
const REFUSED: DryRunEffect = { becomes: 'refused', evidence: 'recomputed' };

/** Tells what a change would have changed in the newest recorded calls. Nothing is set. */
export class DryRun {
  constructor(
    private readonly records: Pick<ToolCallRecords, 'list'>,
    private readonly reader: CatalogReader,
  ) {}

  /**
   * A kill switch that would be engaged.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for a wrong target, `STORE_UNAVAILABLE`
   */
  async killSwitch(
    target: Omit<KillSwitchTarget, 'tenantId'> & { readonly tenantId?: string },
    options: DryRunOptions = {},
  ): Promise<DryRunReport> {
    const checked = killSwitchTarget(target);
    return this.#each(options, checked.tenantId, (call) => {
      if (call.decision === 'deny') return undefined;
      if (meetsName(checked, call.tool)) return { becomes: 'refused', evidence: 'recorded' };
      const tool = this.#definitionOf(call);
      if (!tool) return UNKNOWN;
      return targetMeets(checked, tool) ? REFUSED : undefined;
    });
  }

  /**
   * A stored policy that would be set; `undefined` = it would be removed. Call policies of the application are not asked:
   * what they said of a call holds, and a refusal that would be taken back before they were asked is `unknown`.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for a wrong policy, `STORE_UNAVAILABLE`
   */
  async policy(
    owner: Partial<PolicyOwner>,
    policy: ToolPolicy | undefined,
    options: DryRunOptions = {},
  ): Promise<DryRunReport> {
    const whose = policyOwner(owner);
    const checked = checkedPolicy(policy ?? {});
    return this.#each(options, whose.tenantId, (call) =>
      appliesTo(whose, call) ? this.#underPolicy(whose, checked, call) : undefined,
    );
  }

  /**
   * A limit that would be set. It counts from the first of the calls on.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for a wrong limit, `STORE_UNAVAILABLE`
   */
  async limit(limit: GivenLimit, options: DryRunOptions = {}): Promise<DryRunReport> {
    const checked = toolLimit(limit);
    const calls = await this.#newest(options, '');
    return dryRunReport(
      calls,
      limitEffects(checked, calls, (call) => this.#definitionOf(call)),
    );
  }

  #underPolicy(owner: PolicyOwner, policy: ToolPolicy, call: CallRecord): DryRunEffect | undefined {
    const { decision, layer, rule } = call;
    const level = owner.agentId === '' ? 'stored-tenant:' : 'stored-agent:';
    const isOwn = rule.startsWith(level) && OWN_LAYERS.includes(layer);
    if (decision === 'deny' && !isOwn) return undefined;
    const tool = this.#definitionOf(call);
    if (!tool) return UNKNOWN;
    const asks = approvalRule(policy, tool) !== undefined;
    const isAsked = asks || (decision === 'approve' && !isOwn);
    const onArguments = argumentVerdict(policy, tool, call, isAsked);
    const isRefused = policyRefusal(policy, tool) !== undefined || onArguments === 'deny';
    // Without its refusal, layers and call policies decide that were not asked then.
    if (decision === 'deny') return isRefused ? undefined : UNKNOWN;
    if (isRefused) return REFUSED;
    if (onArguments === 'unknown') return UNKNOWN;
    const needsApproval = asks || onArguments === 'approve';
    if (decision === 'approve') return isOwn && !needsApproval ? UNKNOWN : undefined;
    return needsApproval ? { becomes: 'approval', evidence: 'recomputed' } : undefined;
  }

  async #each(
    options: DryRunOptions,
    tenantId: string,
    effectOn: (call: CallRecord) => DryRunEffect | undefined,
  ): Promise<DryRunReport> {
    const calls = await this.#newest(options, tenantId);
    const effects = new Map<CallRecord, DryRunEffect>();
    for (const call of calls) {
      const effect = effectOn(call);
      if (effect) effects.set(call, effect);
    }
    return dryRunReport(calls, effects);
  }

  async #newest({ calls = 1000 }: DryRunOptions, tenantId: string): Promise<readonly CallRecord[]> {
    const filter = { kind: 'call' as const, ...(tenantId !== '' && { tenantId }) };
    const wanted = Math.min(Math.max(1, Math.trunc(calls)), MAX_CALLS);
    const found: CallRecord[] = [];
    for (let after: string | undefined; found.length < wanted; after = found.at(-1)?.id) {
      const limit = Math.min(PAGE, wanted - found.length);
      const page = await this.records.list(filter, { limit, ...(after !== undefined && { after }) });
      found.push(...page);
      if (page.length < limit) break;
    }
    return found;
  }

  // The definition of today, if it is the one that the call used.
  #definitionOf({ tenantId, tool, definitionHash }: CallRecord): ToolDefinition | undefined {
    const snapshot = this.reader.current(tenantId);
    const id = snapshot.idOf(tool, tenantId);
    const found = id === undefined ? undefined : snapshot.at(id);
    return found && found.hash === definitionHash ? found : undefined;
  }
}

/**
 * What the rules on arguments say of a recorded call. Recorded arguments are redacted, and cut if they are long: what is no
 * JSON any more is unknown.
 *
 * @param isAsked whether the call needs an approval, whatever these rules say
 */
function argumentVerdict(
  policy: ToolPolicy,
  tool: ToolDefinition,
  call: CallRecord,
  isAsked: boolean,
): ArgumentRule['then'] | 'unknown' | undefined {
  const rules = rulesOn(policy, tool);
  if (rules.length === 0) return undefined;
  const given = call.arguments === undefined ? undefined : parsedJson(call.arguments);
  if (isObject(given)) return decidingRule(rules, tool, given as JsonObject)?.rule.then;
  return rules.some(({ rule }) => !isAsked || rule.then === 'deny') ? 'unknown' : undefined;
}

function meetsName({ kind, value }: KillSwitchTarget, name: string): boolean {
  return kind === 'tool' ? name === value : kind === 'glob' && globMatches(value, name);
}

function appliesTo({ agentId }: PolicyOwner, call: CallRecord): boolean {
  return agentId === '' || call.agentIds.includes(agentId);
}
