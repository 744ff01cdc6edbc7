import { z } from 'zod';
import { isObject, type JsonObject, type JsonSchema, parsedJson } from '../../json/json.js';
import { described, object, oneOf, type OptionsOf, value } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import { strictCheck, strictFault } from '../../tool/schema/strict-schema.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globSet } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** A text that is more than blanks. */
function words() {
  return described(z.string().regex(/\S/).max(500), 'a text of 1 to 500 characters');
}

export const argumentRuleOptions = object({
  /** Unique in its policy. */
  id: described(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), '1 to 64 letters, digits, "_", "-" and "."'),
  /** Names, aliases or globs of tools, at most 100. */
  tools: described(z.array(glob()).min(1).max(100), 'a list of 1 to 100 tool names or globs').readonly(),
  /**
   * The rule applies if the arguments fit this JSON Schema of draft 2020-12, without references and formats. Exactly one of
   * `when` and `unless` is set.
   */
  when: value<JsonSchema>(isObject, 'a JSON Schema').optional(),
  /** The rule applies if the arguments do not fit this JSON Schema. */
  unless: value<JsonSchema>(isObject, 'a JSON Schema').optional(),
  /** Whether the rule refuses the call, or asks a second person for an approval of it. */
  then: oneOf('deny', 'approve'),
  /**
   * With `then: 'approve'`: one approval allows every call of the tool in the session or run for a time.
   *
   * @default each call needs an approval of its own
   */
  scope: oneOf('session').optional(),
  /** For operators. */
  reason: words(),
  /** What the caller reads. @default that the arguments are not allowed, or which approval the call waits for */
  message: words().optional(),
});

/**
 * A rule on the arguments of calls. `when` applies if the arguments fit the schema, `unless` if they do not; exactly one
 * of them is set. A member of the arguments that the tool's schema gives a `default` counts as given.
 */
export interface ArgumentRule extends OptionsOf<typeof argumentRuleOptions> {}

const MAX_RULES = 100;

/**
 * Checks what the schema of rules does not say, and returns frozen copies.
 *
 * @param where named in the error
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function argumentRules(rules: readonly ArgumentRule[], where: string): readonly ArgumentRule[] {
  if (rules.length > MAX_RULES) throw invalid(`${where} has more than ${MAX_RULES} rules.`);
  const twice = rules.find(({ id }, index) => rules.findIndex((each) => each.id === id) !== index);
  if (twice) throw invalid(`${where} has two rules with the id ${twice.id}.`);
  return Object.freeze(rules.map((rule, index) => argumentRule(rule, `${where}[${index}]`)));
}

function argumentRule({ when, unless, ...rule }: ArgumentRule, where: string): ArgumentRule {
  if ((when === undefined) === (unless === undefined)) {
    throw invalid(`${where} must have either when or unless.`, 'Set one of them to a JSON Schema of the arguments.');
  }
  if (rule.scope !== undefined && rule.then !== 'approve') {
    throw invalid(`${where}.scope is only for a rule whose then is "approve".`, 'Leave scope out: a refusal has none.');
  }
  const schema = when
    ? { when: ruleSchema(when, `${where}.when`, true) }
    : { unless: ruleSchema(unless, `${where}.unless`, false) };
  return Object.freeze({ ...rule, ...schema });
}

function ruleSchema(raw: unknown, where: string, isWhen: boolean): JsonSchema {
  const schema = parsedJson(jsonOf(raw));
  const fault = strictFault(schema);
  if (fault !== undefined || !isObject(schema)) throw invalid(`${where} is no schema for a rule: ${fault}.`);
  if (isWhen && strictCheck(schema)({}) !== false) {
    throw invalid(
      `${where} fits arguments without any member, so the rule applies to every call that leaves them out.`,
      'Name the members that it is about in required. For every call, use deny or approval of the policy.',
    );
  }
  return schema;
}

// What JSON cannot say, such as Infinity, would become another schema.
function jsonOf(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? '';
  } catch {
    return '';
  }
}

function invalid(message: string, hint?: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, hint === undefined ? {} : { hint });
}

const NAMED = new WeakMap<ArgumentRule, (name: string) => boolean>();

/** Whether a rule names a tool, by its canonical name or an alias. */
export function namesTool(rule: ArgumentRule, { name, aliases }: ToolDefinition): boolean {
  let isNamed = NAMED.get(rule);
  if (!isNamed) NAMED.set(rule, (isNamed = globSet(rule.tools)));
  return isNamed(name) || aliases.some(isNamed);
}

/**
 * Whether a rule applies to arguments.
 *
 * @param given as JSON, after `completedArguments`
 * @throws RangeError within `withinBudget`, if it takes more work than one call may
 */
export function appliesTo({ when, unless }: ArgumentRule, given: JsonObject): boolean {
  return when ? strictCheck(when)(given) : unless !== undefined && !strictCheck(unless)(given);
}
