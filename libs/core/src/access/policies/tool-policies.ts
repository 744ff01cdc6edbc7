import { firstOf } from '../../collections/records.js';
import { checkStatistics, type EngineTraits } from '../../tool/snapshot/statistics-scope.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { stableHash } from '../../json/stable-hash.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { unknownArguments } from '../arguments/unknown-arguments.js';
import { hasArgumentRules, type NamedRule, rulesOn } from '../arguments/argument-verdict.js';
import { type AskingRule, strictest } from './approval-rule.js';
import {
  approvalRule,
  type PolicyRefusal,
  policyRefusal,
  toolPolicy,
  type ToolPolicy,
  unmatchedBy,
} from './tool-policy.js';

const MAX_TENANTS = 100_000;

interface PolicyState {
  readonly module: ToolPolicy;
  /** By owner and name of the source; all of a source's policies apply. */
  readonly sources: ReadonlyMap<string, readonly ToolPolicy[]>;
  readonly tenants: ReadonlyMap<string, ToolPolicy>;
}

/**
 * The application's policies: the module's, a feature's for its own sources, and one per tenant. A tool must pass every
 * policy that applies, so an additional policy can only remove tools.
 */
export class ToolPolicies {
  #state: PolicyState;
  #revision = 1;
  #digest: { readonly of: PolicyState; readonly hash: string } | undefined;

  /**
   * @param index the search engine, if any; with an engine whose statistics are global, tenants cannot have policies
   * @throws ToolSearchError `INVALID_CONFIGURATION`
   */
  constructor(
    module: ToolPolicy = {},
    private readonly index?: EngineTraits,
  ) {
    this.#state = { module: toolPolicy(module, 'policy'), sources: new Map(), tenants: new Map() };
  }

  /** Rises with every change; used in cache keys. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Limits a tenant's tools, from the next decision on; `undefined` removes the tenant's policy. Kept in this process
   * only.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION`
   */
  setTenant(tenantId: string, policy: ToolPolicy | undefined): void {
    if (policy) checkStatistics(this.index, 'the policy of a tenant');
    const tenants = new Map(this.#state.tenants);
    if (policy) tenants.set(tenantId, toolPolicy(policy, `policy of tenant ${tenantId}`));
    else tenants.delete(tenantId);
    if (tenants.size > MAX_TENANTS) {
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `More than ${MAX_TENANTS} tenants have a policy of their own.`,
        { hint: 'Take away the policies of tenants that are gone.' },
      );
    }
    this.#state = { ...this.#state, tenants };
    this.#revision += 1;
  }

  /**
   * Limits the tools of one source, in addition to the policies it has already.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION`
   */
  addToSource(source: { readonly name: string; readonly owner?: string }, policy: ToolPolicy): void {
    const key = sourceKey(source.owner, source.name);
    const checked = toolPolicy(policy, `policy of source ${source.name}`);
    const sources = new Map(this.#state.sources).set(key, [...(this.#state.sources.get(key) ?? []), checked]);
    this.#state = { ...this.#state, sources };
    this.#revision += 1;
  }

  /** Entries of the application's own policies that match no tool, for example `policy.deny: okk.*`. */
  unmatched(tools: readonly ToolDefinition[]): readonly string[] {
    const { module, sources } = this.#state;
    const ofSources = [...sources].flatMap(([key, policies]) => {
      const own = tools.filter((tool) => sourceKey(tool.owner, tool.source) === key);
      return policies.flatMap((policy) => unmatchedBy(policy, own).map((line) => `policy of a feature, ${line}`));
    });
    return [...unmatchedBy(module, tools).map((line) => `policy.${line}`), ...ofSources];
  }

  /** What rules on arguments of the application's own policies look at and no tool that they name has. */
  unknownArguments(tools: readonly ToolDefinition[]): readonly string[] {
    return this.argumentPolicies().flatMap((policy) => unknownArguments(policy.arguments, tools));
  }

  /** Hash of the policies that apply to a tenant: equal in all processes with the same ones. */
  digestOf(tenantId: string): string {
    if (this.#digest?.of !== this.#state) {
      const { module, sources } = this.#state;
      this.#digest = { of: this.#state, hash: stableHash([module, Object.fromEntries(sources)]).slice(0, 16) };
    }
    const tenant = this.#state.tenants.get(tenantId);
    return tenant ? `${this.#digest.hash}.${tenantDigest(tenant)}` : this.#digest.hash;
  }

  /** The first refusal of the tool for the tenant, or undefined. */
  refusal(tool: ToolDefinition, tenantId: string): PolicyRefusal | undefined {
    const { module, tenants } = this.#state;
    const tenant = tenants.get(tenantId);
    const ofSource = firstOf(this.#ofSource(tool), (policy) => policyRefusal(policy, tool));
    return (
      policyRefusal(module, tool) ??
      named(ofSource, 'source') ??
      (tenant && named(policyRefusal(tenant, tool), 'tenant'))
    );
  }

  /** The strictest rule by which these policies require an approval of the tool, or undefined. */
  approval(tool: ToolDefinition, tenantId: string): AskingRule | undefined {
    const { module, tenants } = this.#state;
    const tenant = tenants.get(tenantId);
    const applying = [module, ...this.#ofSource(tool), ...(tenant ? [tenant] : [])];
    return strictest(applying.map((policy) => approvalRule(policy, tool)));
  }

  /** The rules on arguments that name the tool, of all policies that apply to the tenant. */
  argumentRules(tool: ToolDefinition, tenantId: string): readonly NamedRule[] {
    const { module, tenants } = this.#state;
    const tenant = tenants.get(tenantId);
    return [
      ...rulesOn(module, tool),
      ...this.#ofSource(tool).flatMap((policy) => rulesOn(policy, tool, 'source:')),
      ...(tenant ? rulesOn(tenant, tool, 'tenant:') : []),
    ];
  }

  /** All policies with rules on arguments, whichever tenant or source they are for. */
  argumentPolicies(): readonly ToolPolicy[] {
    const { module, sources, tenants } = this.#state;
    return [module, ...[...sources.values()].flat(), ...tenants.values()].filter(hasArgumentRules);
  }

  #ofSource({ owner, source }: ToolDefinition): readonly ToolPolicy[] {
    const { sources } = this.#state;
    // A view asks for every tool, and most applications limit no source.
    return sources.size === 0 ? [] : (sources.get(sourceKey(owner, source)) ?? []);
  }
}

function named(refusal: PolicyRefusal | undefined, level: string): PolicyRefusal | undefined {
  return refusal && { ...refusal, rule: `${level}:${refusal.rule}` };
}

const DIGESTS = new WeakMap<ToolPolicy, string>();

function tenantDigest(policy: ToolPolicy): string {
  const known = DIGESTS.get(policy) ?? stableHash(policy).slice(0, 16);
  DIGESTS.set(policy, known);
  return known;
}

function sourceKey(owner: string | undefined, name: string): string {
  return JSON.stringify([owner ?? '', name]);
}
