import { type NamedRule, refusingRule } from '../../access/arguments/argument-verdict.js';
import type { ToolGate } from '../../access/tool-gate.js';
import { renamed } from '../../catalog/ingest/argument-names.js';
import type { JsonObject } from '../../json/json.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import type { AdmittedUse, CheckedCall } from './call-types.js';

/** What the rules on arguments need to know of a use. */
type RuledUse = Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>;

/** The decision of the rules about arguments; undefined if none refuses them. @throws ToolSearchError `GATE_CLOSED` */
export function argumentsDecision(
  { tool, executor, caller }: RuledUse,
  given: JsonObject,
  gate: ToolGate,
): Decision | undefined {
  const refusing = refusingRule(gate.argumentRules(tool, caller), tool, underShownNames(given, executor));
  return refusing && refusalBy(refusing);
}

/** The arguments under the names that models and operators read. A caller may use the source's own names too. */
export function underShownNames(given: JsonObject, { shownNames }: Pick<ToolExecutor, 'shownNames'>): JsonObject {
  return shownNames ? (renamed(given, shownNames) as JsonObject) : given;
}

/** Why rules that were set since a call was decided about refuse it; undefined if none does. @throws `GATE_CLOSED` */
export function argumentsRefusedNow(
  { given, state, ...use }: RuledUse & Pick<CheckedCall, 'given' | 'state'>,
  gate: ToolGate,
): Decision | undefined {
  const { revision } = gate;
  if (state.argumentsDecidedAt === revision) return undefined;
  const refusal = argumentsDecision(use, given, gate);
  if (!refusal) state.argumentsDecidedAt = revision;
  return refusal;
}

export function refusalBy({ name, rule }: NamedRule): Decision {
  return { outcome: 'deny', layer: 'arguments', rule: name, reason: rule.reason };
}
