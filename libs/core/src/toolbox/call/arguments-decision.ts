import { decidingRule, type NamedRule } from '../../access/arguments/argument-verdict.js';
import type { ToolGate } from '../../access/tool-gate.js';
import { renamed } from '../../catalog/ingest/argument-names.js';
import type { JsonObject } from '../../json/json.js';
import { stableJson } from '../../json/stable-hash.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import type { AdmittedUse, RuledCall } from './call-types.js';

/** What the rules on arguments need to know of a use. */
type RuledUse = Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>;

/**
 * The decision of the rules about arguments: they are refused, or need an approval; undefined if no rule applies.
 *
 * @throws ToolSearchError `GATE_CLOSED`
 */
export function argumentsDecision(
  { tool, executor, caller }: RuledUse,
  given: JsonObject,
  gate: ToolGate,
): Decision | undefined {
  const rules = gate.argumentRules(tool, caller);
  const deciding = rules.length === 0 ? undefined : decidingRule(rules, tool, underShownNames(given, executor));
  if (!deciding) return undefined;
  return deciding.rule.then === 'deny' ? refusalByRule(deciding) : askedBy(deciding);
}

/** {@link argumentsDecision} about a call by the newest rules, which are asked anew only if one has changed. */
export function argumentsDecisionNow(call: RuledCall, gate: ToolGate): Decision | undefined {
  const { given, rules } = call;
  const { revision } = gate;
  if (rules.revision !== revision) {
    rules.decision = argumentsDecision(call, given, gate);
    rules.revision = revision;
  }
  return rules.decision;
}

/** The arguments under the names that models and operators read. A caller may use the source's own names too. */
export function underShownNames(given: JsonObject, { shownNames }: Pick<ToolExecutor, 'shownNames'>): JsonObject {
  return shownNames ? (renamed(given, shownNames) as JsonObject) : given;
}

/** The refusal of a use by a rule on arguments. */
export function refusalByRule({ name, rule: { reason, message } }: NamedRule): Decision {
  const words = message === undefined ? {} : { message };
  return { outcome: 'deny', layer: 'arguments', rule: name, reason, ...words };
}

// As an entry of policy.approval asks.
function askedBy({ name, rule }: NamedRule): Decision {
  const { scope = 'call', reason, message } = rule;
  const words = message === undefined ? {} : { message };
  return { outcome: 'approve', layer: 'approval', rule: name, reason, scope, content: stableJson(rule), ...words };
}
