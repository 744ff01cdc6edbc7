import type { CallLimits } from '../access/limits/call-limits.js';
import { strictest } from '../access/policies/approval-rule.js';
import type { Caller } from '../access/tool-gate.js';
import type { ActivationRoom } from '../activation/tool-activations.js';
import { NEVER_ABORTED } from '../async/deadline.js';
import type { CatalogReader } from '../catalog/catalog-reader.js';
import { type Decision, type Layer, LAYERS, type LayerVerdict } from '../tool/decision.js';
import { deprecationNote } from '../tool/deprecation.js';
import { eventIds } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { argumentsDecision } from './call/arguments-decision.js';
import { type PolicyServices, policyVerdict } from './call/ask-policies.js';
import type { AdmittedUse } from './call/call-types.js';
import { decide } from './call/decide.js';
import type { WorkOptions } from './call/hold.js';
import { WorkArguments } from './call/work-arguments.js';
import type { ToolboxRequest } from './toolbox-request.js';

/** Why a context may or may not use a tool: every layer, in the order of evaluation. For operators only. */
export interface Explanation {
  readonly tool: string;
  readonly outcome: Decision['outcome'];
  readonly layers: readonly LayerVerdict[];
}

export interface ToolStates {
  /** Health of the tool's source. */
  readonly source: string;
  readonly loading: 'always' | 'deferred';
  /** `listed` by exposure or loading, `activated`, `offered`, or `inactive`. */
  readonly activation: 'listed' | 'activated' | 'offered' | 'inactive';
  /** Whether the session or run has room for one more tool. */
  readonly room: ActivationRoom;
}

export interface ExplanationServices extends PolicyServices {
  readonly limits: CallLimits;
}

/**
 * Explains the decision about a name, layer by layer. Counts nothing and asks for no approval.
 *
 * @param listsAll whether all visible tools are listed
 * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`; `INVALID_ARGUMENTS` and `ARGUMENTS_TOO_LARGE` for arguments
 *   that a call would not have, where a rule or call policy looks at them
 */
export async function explain(
  request: ToolboxRequest,
  name: string,
  listsAll: boolean,
  services: ExplanationServices,
  { arguments: input }: WorkOptions = {},
): Promise<Explanation> {
  const { reader, gate, events } = services;
  const caller = await request.who();
  const { tool, executor, decision: decided } = await decide(name, caller, services);
  const { tenantId } = caller.context;
  const work = new WorkArguments(input);
  const onArguments =
    tool && executor && decided.outcome !== 'deny'
      ? await argumentsOf({ tool, executor, caller }, work, services)
      : undefined;
  const onPolicies =
    tool && executor && decided.outcome !== 'deny' && onArguments?.decision?.outcome !== 'deny'
      ? await policiesOf({ tool, executor, caller }, work, services)
      : undefined;
  const ruled = decidedTogether(decided, [onArguments?.decision, ...(onPolicies?.decisions ?? [])]);
  const limits = tool && ruled.outcome === 'allow' ? await limitsOf(tool, caller, services) : undefined;
  const decision = limits?.refusal ?? ruled;
  const isListed = tool?.loading === 'always' || listsAll;
  const states =
    tool && decision.outcome !== 'deny'
      ? { source: sourceHealth(tool, reader), ...(await request.run.statesOf(tool, caller, isListed)) }
      : undefined;
  const explained = tool ? await gate.explained(decision, tool, caller) : decision;
  const detail = describeSource(explained, name, reader, tenantId);
  const deprecation = tool && gate.lifecycle().deprecations.of(tool);
  const lifecycle = tool && deprecation && deprecationNote(tool.name, deprecation, deprecation.successor);
  const explanation = explanationOf(tool?.name ?? name, detail, states, {
    ...(limits && { limit: { reason: limits.reason } }),
    ...(lifecycle !== undefined && { lifecycle: { reason: lifecycle } }),
    ...(onArguments && { arguments: onArguments.found }),
    ...(onPolicies && { call_policy: onPolicies.found }),
  });
  events.emit({ type: 'tool.explained', ...eventIds(caller.context), ...explanation });
  return explanation;
}

// A refusal, else the strictest approval that is asked for.
function decidedTogether(decided: Decision, onCall: readonly (Decision | undefined)[]): Decision {
  const all = [decided, ...onCall];
  const refusal = all.find((each) => each?.outcome === 'deny');
  return refusal ?? strictest(all.filter((each) => each?.outcome === 'approve')) ?? decided;
}

// What the rules on arguments decide, or which of them would.
async function argumentsOf(
  use: Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>,
  work: WorkArguments,
  { gate }: ExplanationServices,
): Promise<{ readonly found: FoundReason; readonly decision?: Decision }> {
  const names = gate.argumentRules(use.tool, use.caller).map(({ name }) => name);
  if (names.length === 0) return { found: {} };
  const rule = names.join(', ');
  const given = await work.fitting(use.executor);
  if (!given) return { found: { rule, reason: 'it depends on the arguments' } };
  const decision = argumentsDecision(use, given, gate);
  return { found: { rule, reason: 'no rule refuses these arguments' }, ...(decision && { decision }) };
}

// What call policies say about the arguments, or which of them would be asked.
async function policiesOf(
  use: Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>,
  work: WorkArguments,
  services: ExplanationServices,
): Promise<{ readonly found: FoundReason; readonly decisions?: readonly Decision[] }> {
  const names = services.callPolicies.on(use.tool).map(({ name }) => name);
  if (names.length === 0) return { found: {} };
  const rule = names.join(', ');
  const given = await work.fitting(use.executor);
  if (!given) return { found: { rule, reason: 'it depends on the arguments' } };
  const { refusal, asking } = await policyVerdict(use, given, NEVER_ABORTED, services);
  const decisions = refusal ? [refusal] : asking;
  return { found: { rule, reason: 'no policy refuses these arguments' }, decisions };
}

// What the limits of a call hold now. Counts nothing.
async function limitsOf(
  tool: ToolDefinition,
  { context, agentIds }: Caller,
  { limits }: ExplanationServices,
): Promise<{ readonly reason: string; readonly refusal?: Decision }> {
  const found = await limits.peek({ tool, context, agentIds }).catch(() => undefined);
  if (!found) return { reason: 'its limits cannot be read at the moment' };
  if (found.length === 0) return { reason: 'no limit concerns it' };
  const reason = found.map(({ limit, usage: { used, max } }) => `${limit.id}: ${used} of ${max}`).join(', ');
  const reached = found.find(({ isReached }) => isReached);
  if (!reached) return { reason };
  const refusal: Decision = {
    outcome: 'deny',
    layer: 'limit',
    rule: reached.limit.id,
    reason: `it is reached (${reason})`,
  };
  return { reason, refusal };
}

const PASSED = {
  source: 'the tool is in the catalog and open to the tenant',
  quarantine: 'nothing is suspicious about it, or an operator has approved it',
  policy: 'no policy refuses it',
  visibility: 'every visibility policy shows it',
  kill_switch: 'no kill switch turns it off',
  lifecycle: 'it is not deprecated',
  arguments: 'no rule looks at its arguments',
  call_policy: 'no policy decides about its calls',
  approval: 'no approval is needed',
  limit: 'no limit concerns it',
};

/** What is said of a layer that passes. @default that it does */
interface FoundReason {
  readonly rule?: string;
  readonly reason?: string;
}

const ACTIVATION = {
  listed: 'it is listed without activation',
  activated: 'this run or session has activated it',
  offered: 'this run has found it, so it is listed',
  inactive: 'it is listed once it has been found, and activated by its first call',
};

const ROOM = {
  some: { verdict: 'pass', rule: 'default', reason: 'there is room for it' },
  by_tokens: { verdict: 'pass', rule: 'default', reason: 'there is room for it, unless it has too many tokens' },
  none: { verdict: 'deny', rule: 'limit', reason: 'the run or session holds as many tools as it may' },
} as const;

/** @param found what layers that pass have to say, where it is more than that they do */
export function explanationOf(
  tool: string,
  decision: Decision,
  states: ToolStates | undefined,
  found: Partial<Record<Layer, FoundReason>> = {},
): Explanation {
  const decided = decision.outcome === 'allow' ? LAYERS.length : LAYERS.indexOf(decision.layer);
  const layers = LAYERS.map((layer, index): LayerVerdict => {
    if (index > decided) return { layer, ...NOT_REACHED };
    if (index < decided) {
      const health = layer === 'source' && states ? `; ${states.source}` : '';
      const { rule = 'default', reason = PASSED[layer] } = found[layer] ?? {};
      return { layer, verdict: 'pass', rule, reason: `${reason}${health}` };
    }
    const { outcome, rule, reason } = decision;
    return { layer, verdict: outcome === 'approve' ? 'approve' : 'deny', rule, reason };
  });
  return { tool, outcome: decision.outcome, layers: [...layers, ...stateLayers(decision, states)] };
}

const NOT_REACHED = { verdict: 'not_reached', rule: '', reason: '' } as const;

function stateLayers({ outcome }: Decision, states: ToolStates | undefined): readonly LayerVerdict[] {
  if (outcome === 'deny' || !states) {
    return (['loading', 'activation', 'budget'] as const).map((layer) => ({ layer, ...NOT_REACHED }));
  }
  const { loading, activation } = states;
  // The first call activates a deferred tool, even when it is already listed.
  const room = loading === 'deferred' && activation !== 'activated' ? states.room : 'some';
  return [
    {
      layer: 'loading',
      verdict: 'pass',
      rule: loading,
      reason: loading === 'always' ? 'it is always listed' : 'it is found on demand',
    },
    { layer: 'activation', verdict: 'pass', rule: activation, reason: ACTIVATION[activation] },
    { layer: 'budget', ...ROOM[room] },
  ];
}

/** The differences between two explanations of one tool. */
export interface ExplanationDiff {
  readonly left: Explanation;
  readonly right: Explanation;
  readonly isSame: boolean;
  /** The first layer that differs. */
  readonly partsAt?: LayerVerdict['layer'];
  readonly differences: readonly {
    readonly layer: LayerVerdict['layer'];
    readonly left: LayerVerdict;
    readonly right: LayerVerdict;
  }[];
}

/** Compares two explanations layer by layer. */
export function explanationDiff(left: Explanation, right: Explanation): ExplanationDiff {
  const differences = left.layers.flatMap((one, index) => {
    const other = right.layers[index];
    if (!other || (one.verdict === other.verdict && one.rule === other.rule)) return [];
    return [{ layer: one.layer, left: one, right: other }];
  });
  const [first] = differences;
  return { left, right, isSame: differences.length === 0, ...(first && { partsAt: first.layer }), differences };
}

export function sourceHealth({ source, owner }: ToolDefinition, catalog: CatalogReader): string {
  const status = catalog.sources(owner).find((each) => each.source === source && each.owner === owner);
  if (!status) return `its source ${source} is gone`;
  return `its source ${source} is ${status.state}${status.state === 'ready' ? '' : ': its last good tools stay'}`;
}

/** Adds to the decision about an unknown name why a source of the tenant, or a shared one, has no such tool. */
export function describeSource(decision: Decision, name: string, catalog: CatalogReader, tenantId: string): Decision {
  if (decision.layer !== 'source' || decision.rule !== 'unknown') return decision;
  const sources = catalog.sources(tenantId);
  for (const { source, refused } of sources) {
    const refusal = refused.find((each) => each.name === name || `${source}.${each.name}` === name);
    if (refusal)
      return {
        ...decision,
        rule: 'refused',
        reason: `source ${source} brought it and it was refused: ${refusal.reason}`,
      };
  }
  const down = sources.filter(({ state }) => state !== 'ready');
  if (down.length === 0) return decision;
  return { ...decision, reason: `no such tool; not ready: ${down.map(({ source }) => source).join(', ')}` };
}
