import { isObject } from '../../json/json.js';
import { list, object, type OptionsOf, text } from '../../options/options.js';
import { parseOptions } from '../../options/parse-options.js';
import { glob } from '../../tool/source/source-options.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globMatches, globTest } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { argumentRuleOptions, argumentRules } from '../arguments/argument-rule.js';
import { approvalEntry, type AskingRule, askingRule, globOf } from './approval-rule.js';

export const policyOptions = object({
  /** `undefined` = no allow list; `[]` = no tool is allowed. */
  allow: list(glob()).optional(),
  deny: list(glob()).optional(),
  requireTags: list(text(64)).optional(),
  /** Tools that a second person must approve, each call or once for a session or run; names and aliases. */
  approval: list(approvalEntry()).optional(),
  /** Rules on the arguments of calls, at most 100. */
  arguments: list(argumentRuleOptions).optional(),
});

/**
 * Static limits as globs (`*` crosses dots). `deny` comes first and matches names and aliases; then `allow`, which
 * matches canonical names; then every tag of `requireTags` must be present. Meta tools are exempt. `arguments` decides
 * about each call, once its arguments have been checked.
 */
export interface ToolPolicy extends OptionsOf<typeof policyOptions> {}

export interface PolicyRefusal {
  /** `deny:<glob>`, `allow` or `requireTags:<tag>`. */
  readonly rule: string;
  readonly reason: string;
}

/** Why the policy refuses a tool, or undefined. */
export function policyRefusal(policy: ToolPolicy, tool: ToolDefinition): PolicyRefusal | undefined {
  // Aliases count: a deny of the old name still matches a renamed tool that keeps it as an alias.
  const names = [tool.name, ...tool.aliases];
  const denied = policy.deny?.find((glob) => names.some((name) => globMatches(glob, name)));
  if (denied !== undefined) return { rule: `deny:${denied}`, reason: `the policy denies ${denied}` };
  if (policy.allow && !policy.allow.some((glob) => globMatches(glob, tool.name))) {
    return { rule: 'allow', reason: 'no glob of the allow list matches' };
  }
  const missing = policy.requireTags?.find((tag) => !tool.tags.includes(tag));
  if (missing !== undefined) return { rule: `requireTags:${missing}`, reason: `the tool lacks the tag ${missing}` };
  return undefined;
}

/** The strictest rule by which the policy requires an approval, or undefined. */
export function approvalRule(policy: ToolPolicy, tool: ToolDefinition): AskingRule | undefined {
  return policy.approval && askingRule(policy.approval, tool);
}

/** Entries of the policy that match no tool, for example `deny: okk.*`. */
export function unmatchedBy(policy: ToolPolicy, tools: readonly ToolDefinition[]): readonly string[] {
  const onArguments = (policy.arguments ?? []).flatMap(({ id, tools: globs }) =>
    globs.filter((glob) => !tools.some(namedBy(glob))).map((glob) => `arguments.${id}: ${glob}`),
  );
  return [
    ...LISTS.flatMap((field) =>
      (policy[field] ?? [])
        .map(globOf)
        .filter((item) => {
          const matchesGlob = field === 'requireTags' ? undefined : globTest(item);
          // `deny` and `approval` also match aliases.
          return !tools.some(({ name, aliases, tags }) =>
            matchesGlob ? matchesGlob(name) || (field !== 'allow' && aliases.some(matchesGlob)) : tags.includes(item),
          );
        })
        .map((item) => `${field}: ${item}`),
    ),
    ...onArguments,
  ];
}

const LISTS = ['allow', 'deny', 'requireTags', 'approval'] as const;
const FIELDS = policyOptions.keyof().options;

function namedBy(glob: string): (tool: ToolDefinition) => boolean {
  const isNamed = globTest(glob);
  return ({ name, aliases }) => isNamed(name) || aliases.some(isNamed);
}

/**
 * Validates a policy and returns a frozen copy. Unknown fields are refused: a misspelt `deny` would allow its tools.
 *
 * @param where named in the error, for example `forRoot({ policy })`
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function toolPolicy(raw: unknown, where: string): ToolPolicy {
  const unknown = isObject(raw) ? Object.keys(raw).find((key) => !Object.hasOwn(policyOptions.shape, key)) : undefined;
  if (unknown === undefined) {
    const given = Object.entries(parseOptions(policyOptions, raw, where)).filter(([, items]) => items !== undefined);
    const policy: ToolPolicy = Object.fromEntries(given);
    const { arguments: rules } = policy;
    return Object.freeze(rules ? { ...policy, arguments: argumentRules(rules, `${where}.arguments`) } : policy);
  }
  throw new ToolSearchError('INVALID_CONFIGURATION', `${where} has the unknown field ${JSON.stringify(unknown)}.`, {
    hint: `Known fields: ${FIELDS.join(', ')}.`,
  });
}
