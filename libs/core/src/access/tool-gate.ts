import type { ControlPlane } from './control/control-plane.js';
import { isOwnedBy } from '../tool/snapshot/catalog-snapshot.js';
import type { Decision, Layer } from '../tool/decision.js';
import { deepFreeze } from '../json/json.js';
import { isForApps } from '../tool/app-metadata.js';
import type { ToolContext } from '../tool/tool-context.js';
import { hashNumber, stableHash } from '../json/stable-hash.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { type ControlSnapshot, controlSnapshot } from './control/control-snapshot.js';
import { deprecationKind } from './deprecations/deprecation-kind.js';
import type { DeprecationSet } from './deprecations/deprecation-set.js';
import { killSwitchKind } from './kill-switches/kill-switch-kind.js';
import type { KillSwitchSet } from './kill-switches/kill-switch-set.js';
import { askFilters, type FilterAnswer, filterRefusalNow } from './caller-filters.js';
import type { NamedRule } from './arguments/argument-verdict.js';
import {
  type FilterPhase,
  type Narrowing,
  narrowingApproval,
  narrowingArgumentRules,
  narrowingRefusal,
} from './narrowing.js';
import { strictest } from './policies/approval-rule.js';
import { policyKind } from './policies/policy-kind.js';
import type { StoredPolicySet } from './policies/stored-policy.js';
import type { ToolPolicies } from './policies/tool-policies.js';
import type { QuarantineVerdicts } from './quarantine/quarantine.js';
import { verdictKind } from './quarantine/verdict-kind.js';
import {
  askVisibility,
  type PolicyFaultReport,
  type ToolVisibilityPolicy,
  type VisibilityAnswer,
  hidingReason,
  visibilityKey,
} from './visibility-policy.js';

export interface GateAnswer {
  /** One decision per tool, in the same order. */
  readonly decisions: readonly Decision[];
  /** A visibility policy failed, so some tools may be hidden by mistake; do not cache this answer. */
  readonly fault: boolean;
}

export interface Caller {
  readonly context: ToolContext;
  /** Contexts of the parent agents that are other agents: a tool hidden from one of them is hidden from the caller. */
  readonly above: readonly ToolContext[];
  /** Agents whose policies apply: the policies of parent agents also bind a sub-agent. */
  readonly agentIds: readonly string[];
  readonly lineage: readonly Narrowing[];
  /** Whether it is a host of MCP Apps, which may use what no model sees. @default false */
  readonly opensApps?: boolean;
}

export function callerOf(context: ToolContext, lineage: readonly Narrowing[] = []): Caller {
  const agentIds = [context.agentId, ...lineage.map((step) => step.agentId)].filter((id) => id !== undefined);
  return { context, above: [], agentIds, lineage };
}

/** Read access to the operators' decisions, by the clock that decides about expiry. */
export type ControlView = Pick<ControlPlane, 'current' | 'rulesRevision' | 'now'>;

const NOTHING_DECIDED = controlSnapshot([killSwitchKind, policyKind, verdictKind, deprecationKind], {
  revision: 0,
  records: [],
});

const NO_CONTROL: ControlView = { current: () => NOTHING_DECIDED, rulesRevision: 0, now: Date.now };

export interface GateRules {
  readonly policies: ToolPolicies;
  readonly visibility: () => readonly ToolVisibilityPolicy[];
  /** @default no operator decisions */
  readonly control?: ControlView;
  /** Milliseconds per visibility policy. @default 500 */
  readonly deadlineMs?: number | undefined;
  /** @default faults are not reported */
  readonly reportPolicyFault?: PolicyFaultReport | undefined;
  /** Epoch milliseconds, for the expiry of kill switches. @default the clock of the control store */
  readonly now?: (() => number) | undefined;
}

/**
 * The single access decision, layer by layer: source, quarantine, policy, visibility, kill switch, lifecycle, approval. Listing
 * checks the whole catalog and a call checks one tool with the same rules, so listed tools are callable.
 */
export class ToolGate {
  readonly #policies: ToolPolicies;
  readonly #visibility: GateRules['visibility'];
  readonly #control: ControlView;
  readonly #deadlineMs: number;
  readonly #now: () => number;
  readonly #report: PolicyFaultReport | undefined;

  constructor({
    policies,
    visibility,
    control = NO_CONTROL,
    deadlineMs = 500,
    now = () => control.now(),
    reportPolicyFault,
  }: GateRules) {
    this.#report = reportPolicyFault;
    this.#policies = policies;
    this.#visibility = visibility;
    this.#control = control;
    this.#deadlineMs = deadlineMs;
    this.#now = now;
  }

  /** Rises whenever a policy or verdict changes; cached answers of {@link decideLasting} are then invalid. */
  get revision(): number {
    return this.#policies.revision + this.#control.rulesRevision;
  }

  /**
   * A number that changes when another kill switch affects one of these tools, or another stored policy applies to the
   * caller. Decisions about other callers do not change it.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  rulesOn(tools: readonly ToolDefinition[], { context: { tenantId }, agentIds }: Caller): number {
    const decided = this.#control.current();
    const switches = decided.of(killSwitchKind);
    const now = this.#now();
    const matching = new Set(tools.flatMap((tool) => switches.meeting(tool, tenantId, now)?.revision ?? []));
    return hashNumber(
      stableHash([[...matching].toSorted((a, b) => a - b), decided.of(policyKind).revisions(tenantId, agentIds)]),
    );
  }

  /** The kill switches, the number of expired ones and the current time. @throws ToolSearchError `GATE_CLOSED` */
  switches(): { readonly set: KillSwitchSet; readonly expired: number; readonly now: number } {
    const now = this.#now();
    const set = this.#control.current().of(killSwitchKind);
    return { set, expired: set.expiredAt(now), now };
  }

  /** Deprecations by operators and in definitions, and the current time. @throws ToolSearchError `GATE_CLOSED` */
  lifecycle(): { readonly deprecations: DeprecationSet; readonly now: number } {
    return { deprecations: this.#control.current().of(deprecationKind), now: this.#now() };
  }

  /** Equal for contexts with equal visibility; undefined when answers must not be shared between requests. */
  visibilityKey({ context, above }: Caller): Promise<string | undefined> {
    return above.length === 0 ? this.#keyOf(context) : this.#keyOfAll([context, ...above]);
  }

  #keyOf(context: ToolContext): Promise<string | undefined> {
    return visibilityKey(this.#visibility(), context, this.#deadlineMs);
  }

  async #keyOfAll(contexts: readonly ToolContext[]): Promise<string | undefined> {
    const keys = await Promise.all(contexts.map((each) => this.#keyOf(each)));
    return keys.includes(undefined) ? undefined : JSON.stringify(keys);
  }

  /**
   * Decisions that hold until a policy, a verdict or the application's own rule changes. Kill switches and a caller's
   * narrowing are not included: they are checked at each use.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async decideLasting(tools: readonly ToolDefinition[], caller: Caller): Promise<GateAnswer> {
    const rules = lastingRules(this.#control.current());
    const unnarrowed = { ...caller, lineage: [] };
    const hard = tools.map((tool) => this.#hardRefusal(tool, unnarrowed, rules));
    const open = tools.filter((_, index) => hard[index] === undefined);
    const answer = await this.#visible(open, caller);
    const decisions = tools.map((tool, index) => hard[index] ?? visibilityRefusal(tool, answer) ?? ALLOWED);
    return { decisions, fault: answer.fault !== undefined };
  }

  /**
   * The whole decision about one tool, or about an unknown name (`undefined`). Filters and visibility policies always
   * run, so that response times do not distinguish hidden tools from unknown ones.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async decide(tool: ToolDefinition | undefined, caller: Caller, phase: FilterPhase = 'active'): Promise<Decision> {
    const rules = lastingRules(this.#control.current());
    const hard = tool ? this.#hardRefusal(tool, caller, rules) : UNKNOWN_TOOL;
    const candidate = tool && !hard ? tool : NO_TOOL;
    const filtered = await this.#filterRefusal(candidate, caller, phase);
    const refusal = hard ?? filtered;
    const asked = refusal ? NO_TOOL : candidate;
    const answer = await this.#visible([asked], caller);
    return refusal ?? this.#afterPolicies(asked, caller, answer);
  }

  /**
   * Whether the caller may use one of these tools, perhaps after an approval. Filters and visibility policies are asked
   * once about all of them.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async allowsOneOf(tools: readonly ToolDefinition[], caller: Caller): Promise<boolean> {
    const rules = lastingRules(this.#control.current());
    const open = tools.filter((tool) => !this.#hardRefusal(tool, caller, rules));
    const { refusals } = await this.filtered(open, caller, 'active');
    const { visible } = await this.#visible(
      open.filter((tool) => !refusals.has(tool)),
      caller,
    );
    // Only now: kill switches may have been engaged while the application answered.
    return [...visible].some((tool) => this.refusalNow(tool, caller) === undefined);
  }

  /**
   * What holds for a tool for all callers of a tenant, before visibility policies, agents and arguments are looked at.
   *
   * @param tenantId `''`: what holds for every tenant
   * @throws ToolSearchError `GATE_CLOSED`
   */
  decideForAll(tool: ToolDefinition, tenantId: string): Decision {
    const caller = callerOf({ tenantId });
    return (
      this.#hardRefusal(tool, caller, lastingRules(this.#control.current())) ??
      this.#switchRefusal(tool, caller.context) ??
      this.#retirement(tool) ??
      this.#approval(tool, caller) ??
      ALLOWED
    );
  }

  /** A decision with the words of the visibility policy that hides the tool, if it has any; for operators. */
  async explained(decision: Decision, tool: ToolDefinition, { context, above }: Caller): Promise<Decision> {
    if (decision.layer !== 'visibility' || decision.rule !== HIDDEN) return decision;
    for (const each of [context, ...above]) {
      const words = await hidingReason(this.#visibility(), tool, each, this.#deadlineMs);
      if (words !== undefined) return words === '' ? decision : { ...decision, reason: `${decision.reason}: ${words}` };
    }
    return decision;
  }

  /** Asks the filters of the caller's narrowing about tools, within the deadline of visibility policies. */
  async filtered(tools: readonly ToolDefinition[], caller: Caller, phase: FilterPhase): Promise<FilterAnswer> {
    const answer = await askFilters(caller.lineage, tools, phase, this.#deadlineMs);
    if (answer.isLate) this.#report?.('narrow({ filter })', new Error(`no answer within ${this.#deadlineMs} ms`));
    return answer;
  }

  /**
   * Everything that can be decided without waiting for the application, on the newest state; used just before a tool
   * runs.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  refusalNow(tool: ToolDefinition, caller: Caller): Decision | undefined {
    const filtered = filterRefusalNow(caller.lineage, tool);
    return (
      this.#hardRefusal(tool, caller, lastingRules(this.#control.current())) ??
      (filtered && deny('policy', filtered.rule, filtered.reason)) ??
      this.#switchRefusal(tool, caller.context) ??
      this.#retirement(tool) ??
      appsRefusal(tool, caller)
    );
  }

  /** The approval that an otherwise allowed tool still needs, or undefined. @throws ToolSearchError `GATE_CLOSED` */
  approvalOf(tool: ToolDefinition, caller: Caller): Decision | undefined {
    return this.#approval(tool, caller);
  }

  /** The rules on arguments that name a tool, for this caller. @throws ToolSearchError `GATE_CLOSED` */
  argumentRules(tool: ToolDefinition, { context, agentIds, lineage }: Caller): readonly NamedRule[] {
    const stored = this.#control.current().of(policyKind);
    return [
      ...this.#policies.argumentRules(tool, context.tenantId),
      ...stored.argumentRules(tool, context.tenantId, agentIds),
      ...narrowingArgumentRules(lineage, tool),
    ];
  }

  async #filterRefusal(tool: ToolDefinition, caller: Caller, phase: FilterPhase) {
    const { refusals } = await this.filtered([tool], caller, phase);
    const refusal = refusals.get(tool);
    return refusal && deny('policy', refusal.rule, refusal.reason);
  }

  async #visible(tools: readonly ToolDefinition[], { context, above }: Caller): Promise<VisibilityAnswer> {
    const ask = (each: ToolContext) => askVisibility(this.#visibility(), tools, each, this.#deadlineMs, this.#report);
    if (above.length === 0) return ask(context);
    const answers = await Promise.all([context, ...above].map(ask));
    const [fault] = answers.flatMap((each) => each.fault ?? []);
    const visible = new Set(tools.filter((tool) => answers.every((each) => each.visible.has(tool))));
    const asked = answers.flatMap((each) => each.asked ?? []);
    return { visible, asked, ...(fault !== undefined && { fault }) };
  }

  // Kill switches are read after the application's answer, so that one engaged in the meantime counts.
  #afterPolicies(tool: ToolDefinition, caller: Caller, answer: VisibilityAnswer): Decision {
    return (
      visibilityRefusal(tool, answer) ??
      this.#switchRefusal(tool, caller.context) ??
      this.#retirement(tool) ??
      appsRefusal(tool, caller) ??
      this.#approval(tool, caller) ??
      ALLOWED
    );
  }

  #hardRefusal(
    tool: ToolDefinition,
    { context, agentIds, lineage }: Caller,
    { verdicts, stored }: LastingRules,
  ): Decision | undefined {
    if (!isOwnedBy(tool, context.tenantId)) return deny('source', 'owner', 'the tool belongs to another tenant');
    const held = verdicts.refusal(tool);
    if (held) return deny('quarantine', held.rule, held.reason);
    const refusal =
      this.#policies.refusal(tool, context.tenantId) ??
      stored.refusal(tool, context.tenantId, agentIds) ??
      narrowingRefusal(lineage, tool);
    return refusal && deny('policy', refusal.rule, refusal.reason);
  }

  #switchRefusal(tool: ToolDefinition, { tenantId }: ToolContext): Decision | undefined {
    const off = this.#control.current().of(killSwitchKind).meeting(tool, tenantId, this.#now());
    return off && deny('kill_switch', off.id, off.reason);
  }

  #retirement(tool: ToolDefinition): Decision | undefined {
    const { deprecations, now } = this.lifecycle();
    if (!deprecations.isRetired(tool, now)) return undefined;
    return deny('lifecycle', 'sunset', `it stopped on ${deprecations.of(tool)?.sunset}`);
  }

  #approval(tool: ToolDefinition, { context, agentIds, lineage }: Caller): Decision | undefined {
    const asking = strictest([
      this.#policies.approval(tool, context.tenantId),
      this.#control.current().of(policyKind).approval(tool, context.tenantId, agentIds),
      narrowingApproval(lineage, tool),
    ]);
    if (!asking) return undefined;
    const reason =
      asking.scope === 'call' ? 'a second person must approve each call' : 'a second person must approve it';
    return { outcome: 'approve', layer: 'approval', ...asking, reason };
  }
}

/** Decisions of operators that hold for a tool until they change: a view of the catalog is cached with them. */
interface LastingRules {
  readonly verdicts: QuarantineVerdicts;
  readonly stored: StoredPolicySet;
}

// Looked up once, not for each tool of the catalog.
function lastingRules(decided: ControlSnapshot): LastingRules {
  return { verdicts: decided.of(verdictKind), stored: decided.of(policyKind) };
}

const ALLOWED: Decision = deepFreeze({
  outcome: 'allow',
  layer: 'approval',
  rule: 'default',
  reason: 'no rule refuses it',
});

/** The decision about a name that no tool has. */
export const UNKNOWN_TOOL: Decision = deepFreeze(deny('source', 'unknown', 'no such tool'));

/** The decision about a page that no tool opens for the caller. */
export const UNOPENED_PAGE: Decision = deepFreeze(
  deny('visibility', 'apps', 'the caller may use no tool that names this page'),
);

/** Placeholder for a missing or refused tool. */
const NO_TOOL: ToolDefinition = deepFreeze({
  name: 'none',
  namespace: '',
  description: '',
  tags: [],
  sideEffects: 'external',
  inputSchema: { type: 'object' },
  examples: [],
  exampleQueries: [],
  loading: 'deferred',
  aliases: [],
  authScopes: [],
  source: '',
  owner: '',
  hash: '',
});

/** The rule of a tool that a visibility policy leaves out. */
const HIDDEN = 'filter';

function visibilityRefusal(tool: ToolDefinition, { visible, fault, asked }: VisibilityAnswer): Decision | undefined {
  if (visible.has(tool)) return undefined;
  if (fault !== undefined) return deny('visibility', 'fault', fault);
  const hiding = asked?.find((each) => !each.visible.has(tool));
  return deny('visibility', HIDDEN, `visibility policy ${hiding?.policy} left it out`);
}

// The last one: what else refuses it is of more use to an operator.
function appsRefusal(tool: ToolDefinition, { opensApps = false }: Caller): Decision | undefined {
  if (opensApps || !isForApps(tool)) return undefined;
  return deny('visibility', 'apps', 'it is for MCP Apps, and only hosts that list every tool may use it');
}

function deny(layer: Layer, rule: string, reason: string): Decision {
  return { outcome: 'deny', layer, rule, reason };
}
