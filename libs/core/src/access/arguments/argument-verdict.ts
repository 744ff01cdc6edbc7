import type { JsonObject } from '../../json/json.js';
import { withinBudget } from '../../tool/schema/validation-budget.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolPolicy } from '../policies/tool-policy.js';
import { appliesTo, type ArgumentRule, namesTool } from './argument-rule.js';
import { completedArguments } from './completed-arguments.js';

/** A rule on arguments that names a tool, in a policy that applies to the caller. */
export interface NamedRule {
  readonly rule: ArgumentRule;
  /** As decisions name it: the level of its policy and its id, such as `stored-tenant:arguments:large-refund`. */
  readonly name: string;
}

/** The rules of a policy that name the tool. @param level of the policy, as a prefix of the rules' names */
export function rulesOn(policy: ToolPolicy, tool: ToolDefinition, level = ''): readonly NamedRule[] {
  const { arguments: rules } = policy;
  if (rules === undefined || rules.length === 0) return NONE;
  const naming = rules.filter((rule) => namesTool(rule, tool));
  return naming.map((rule) => ({ rule, name: `${level}arguments:${rule.id}` }));
}

export function hasArgumentRules({ arguments: rules }: ToolPolicy): boolean {
  return rules !== undefined && rules.length > 0;
}

const NONE: readonly NamedRule[] = [];

/**
 * The rule that decides about these arguments: the strictest of those that apply, and the first of several. Undefined if
 * none applies.
 *
 * @param given the checked arguments as JSON
 */
export function decidingRule(
  rules: readonly NamedRule[],
  tool: Pick<ToolDefinition, 'inputSchema'>,
  given: JsonObject,
): NamedRule | undefined {
  if (rules.length === 0) return undefined;
  const whole = completedArguments(tool, given);
  const ordered = strictestFirst(rules);
  if (whole === undefined) return ordered[0];
  let asked: NamedRule | undefined;
  const applying = withinBudget(whole, () => {
    for (const each of ordered) {
      asked = each;
      if (appliesTo(each.rule, whole)) return each;
    }
    return null;
  });
  // One budget for all rules of a call. A check that exceeds it counts as a match, and none that is left is stricter.
  return applying === undefined ? asked : (applying ?? undefined);
}

function strictestFirst(rules: readonly NamedRule[]): readonly NamedRule[] {
  return rules.every(({ rule }) => rule.then === 'deny')
    ? rules
    : rules.toSorted((one, other) => leniencyOf(one) - leniencyOf(other));
}

function leniencyOf({ rule: { then, scope } }: NamedRule): number {
  if (then === 'deny') return 0;
  return scope === 'session' ? 2 : 1;
}
