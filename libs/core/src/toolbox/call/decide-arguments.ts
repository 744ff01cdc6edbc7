import type { Decision } from '../../tool/decision.js';
import { argumentsDecision, refusalByRule } from './arguments-decision.js';
import type { AdmittedUse, CheckedCall, RuledCall } from './call-types.js';
import type { DecisionServices } from './decide.js';
import { refuseArguments } from './refuse-arguments.js';
import type { WorkArguments } from './work-arguments.js';

/**
 * Decides about the arguments that will run, by the rules of all policies that apply. A rule may ask for an approval, which
 * a later stage finds.
 *
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED` with the message of the rule; `GATE_CLOSED`
 */
export function decideArguments(call: CheckedCall, services: DecisionServices): RuledCall {
  // Read first: what is set meanwhile is then decided about again.
  const { revision } = services.gate;
  const decision = argumentsDecision(call, call.given, services.gate);
  if (decision?.outcome === 'deny') refuse(call, decision, services);
  return Object.assign(call, { rules: { revision, decision } });
}

/**
 * Decides about work of the application itself, with the arguments that it names. They must fit the tool's schema: a
 * rule on a number says nothing about the text of a form. Where it names none, every rule that names the tool refuses the
 * work.
 *
 * @returns the decision of a rule that asks for an approval
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED`, `INVALID_ARGUMENTS`, `ARGUMENTS_TOO_LARGE`, `GATE_CLOSED`
 */
export async function decideWorkArguments(
  use: AdmittedUse,
  work: WorkArguments,
  services: DecisionServices,
): Promise<Decision | undefined> {
  const { tool, executor, caller } = use;
  const rules = services.gate.argumentRules(tool, caller);
  const [first] = rules;
  if (!first) return undefined;
  const given = await work.fitting(executor);
  if (!given) return refuse(use, refusalByRule(rules.find(({ rule }) => rule.then === 'deny') ?? first), services);
  const onArguments = argumentsDecision(use, given, services.gate);
  return onArguments?.outcome === 'deny' ? refuse(use, onArguments, services) : onArguments;
}

function refuse(use: AdmittedUse, refusal: Decision, services: DecisionServices): never {
  return refuseArguments(use, refusal, 'These arguments are not allowed here.', services);
}
