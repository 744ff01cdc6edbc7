import { isObject } from '../../json/json.js';
import { strictCheck } from '../../tool/schema/strict-schema.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ArgumentRule, namesTool } from './argument-rule.js';

/** Choices within choices in which names of members are looked for. */
const MAX_CHOICES_DEPTH = 8;

/** Members that rules look at and no tool that they name has: probably misspelt. One line for each. */
export function unknownArguments(
  rules: readonly ArgumentRule[] = [],
  tools: readonly ToolDefinition[],
): readonly string[] {
  return rules.flatMap((rule) =>
    [
      ...unknownMembers(rule, tools).map((name) => `no tool that it names has the argument ${name}`),
      ...(rule.unless && strictCheck(rule.unless)({})
        ? ['its unless fits arguments without any member, so it applies to no call that leaves them out']
        : []),
    ].map((line) => `arguments.${rule.id}: ${line}`),
  );
}

function unknownMembers(rule: ArgumentRule, tools: readonly ToolDefinition[]): readonly string[] {
  const named = tools.filter((tool) => namesTool(rule, tool));
  if (named.length === 0) return [];
  const known = new Set<string>();
  for (const { inputSchema } of named) {
    // Only a plain schema says all names of its arguments.
    if (!isObject(inputSchema['properties']) || '$ref' in inputSchema) return [];
    for (const name of membersOf(inputSchema)) known.add(name);
  }
  return [...membersOf(rule.when ?? rule.unless)].filter((name) => !known.has(name));
}

/** Names of members anywhere in what describes the arguments themselves: in choices and conditions, but not in members. */
function membersOf(schema: unknown, depth = 0): ReadonlySet<string> {
  const names = new Set<string>();
  if (!isObject(schema) || depth > MAX_CHOICES_DEPTH) return names;
  const { properties, required, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = schema;
  if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  if (Array.isArray(required)) for (const name of required) names.add(String(name));
  const inner = [allOf, anyOf, oneOf].flatMap((each): unknown[] => (Array.isArray(each) ? each : []));
  for (const each of [...inner, not, condition, then, otherwise]) {
    for (const name of membersOf(each, depth + 1)) names.add(name);
  }
  return names;
}
