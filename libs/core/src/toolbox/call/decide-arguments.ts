import { type NamedRule, refusingRule } from '../../access/arguments/argument-verdict.js';
import { safeText } from '../../json/safe-text.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { AdmittedUse, CheckedCall } from './call-types.js';
import { boundedArguments, validated } from './check-arguments.js';
import { type DecisionServices, reportDenied } from './decide.js';
import { refusalBy, underShownNames } from './refused-arguments.js';

/**
 * Decides about the arguments that will run, by the rules of all policies that apply.
 *
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED` with the message of the rule; `GATE_CLOSED`
 */
export function decideArguments(call: CheckedCall, services: DecisionServices): void {
  const { tool, executor, caller, given, state } = call;
  // Read first: what is set meanwhile is then decided about again.
  state.argumentsDecidedAt = services.gate.revision;
  const rules = services.gate.argumentRules(tool, caller);
  if (rules.length > 0) refuse(call, refusingRule(rules, tool, underShownNames(given, executor)), services);
}

/**
 * Decides about work of the application itself, with the arguments that it names. They must fit the tool's schema: a
 * rule on a number says nothing about the text of a form.
 *
 * @param input undefined or null where the application names none: then every rule that names the tool refuses the work
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED`, `INVALID_ARGUMENTS`, `ARGUMENTS_TOO_LARGE`, `GATE_CLOSED`
 */
export async function decideWorkArguments(use: AdmittedUse, input: unknown, services: DecisionServices): Promise<void> {
  const { tool, executor, caller } = use;
  const rules = services.gate.argumentRules(tool, caller);
  if (rules.length === 0) return;
  if (input === undefined || input === null) return refuse(use, rules[0], services);
  const given = boundedArguments(input);
  await validated(executor, given);
  refuse(use, refusingRule(rules, tool, underShownNames(given, executor)), services);
}

function refuse(
  { tool, caller, trace }: AdmittedUse,
  refusing: NamedRule | undefined,
  services: DecisionServices,
): void {
  if (!refusing) return;
  const decision = refusalBy(refusing);
  reportDenied(caller, tool.name, decision, services);
  trace?.refused(decision);
  const { message } = refusing.rule;
  const words = message === undefined ? 'These arguments are not allowed here.' : safeText(message, 500);
  throw new ToolSearchError('ARGUMENTS_NOT_ALLOWED', words, {
    hint: 'Nothing has happened. Change the arguments if the task allows it, or tell the user.',
  });
}
