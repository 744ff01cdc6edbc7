import { isObject } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { checkGlob, globMatches, globTest } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/**
 * Hard static limits in globs (`*` crosses dots). Deny wins, over names and aliases; then the allow list, over canonical
 * names; then every required tag must be present. Meta tools are not subject to it.
 */
export interface ToolPolicy {
  /** `undefined` = no list; `[]` = nothing is allowed. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly requireTags?: readonly string[];
  /** Tools that a second person must approve before a session or run may call them. */
  readonly approval?: readonly string[];
}

/** Why a policy refuses a tool. */
export interface PolicyRefusal {
  /** `deny:<glob>`, `allow` or `requireTags:<tag>`. */
  readonly rule: string;
  readonly reason: string;
}

/** Why the policy refuses the tool, or undefined when it does not. */
export function policyRefusal(policy: ToolPolicy, tool: ToolDefinition): PolicyRefusal | undefined {
  // A tool that was renamed and kept its old name as an alias is still meant by a deny of the old name.
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

/** The rule by which the policy asks for an approval of the tool, `approval:<glob>`, or undefined when it does not. */
export function approvalRule(policy: ToolPolicy, tool: ToolDefinition): string | undefined {
  const names = [tool.name, ...tool.aliases];
  const asking = policy.approval?.find((glob) => names.some((name) => globMatches(glob, name)));
  return asking === undefined ? undefined : `approval:${asking}`;
}

/** What the policy names and no tool is or has, for example `deny: okk.*`. */
export function unmatchedBy(policy: ToolPolicy, tools: readonly ToolDefinition[]): readonly string[] {
  return FIELDS.flatMap((field) =>
    (policy[field] ?? [])
      .filter((item) => {
        const isMet = field === 'requireTags' ? undefined : globTest(item);
        // Deny and approval also mean aliases.
        return !tools.some(({ name, aliases, tags }) =>
          isMet ? isMet(name) || (field !== 'allow' && aliases.some(isMet)) : tags.includes(item),
        );
      })
      .map((item) => `${field}: ${item}`),
  );
}

const FIELDS = ['allow', 'deny', 'requireTags', 'approval'] as const;

/**
 * A frozen, checked copy. An unknown field is refused, because a deny list with a typo in its name would allow.
 *
 * @param where named in the error, for example `forRoot({ policy })`
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function toolPolicy(raw: unknown, where: string): ToolPolicy {
  if (!isObject(raw)) throw new ToolSearchError('INVALID_CONFIGURATION', `${where} must be an object.`);
  for (const key of Object.keys(raw)) {
    if (!(FIELDS as readonly string[]).includes(key)) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${where} has the unknown field ${JSON.stringify(key)}.`, {
        hint: `Known fields: ${FIELDS.join(', ')}.`,
      });
    }
  }
  const policy: { -readonly [K in keyof ToolPolicy]: ToolPolicy[K] } = {};
  for (const field of FIELDS) {
    const list = raw[field];
    if (list === undefined) continue;
    if (!Array.isArray(list)) throw new ToolSearchError('INVALID_CONFIGURATION', `${where}.${field} must be a list.`);
    policy[field] = Object.freeze(
      list.map((item: unknown) =>
        field === 'requireTags' ? checkTag(item, where) : checkGlob(item, `${where}.${field}`),
      ),
    );
  }
  return Object.freeze(policy);
}

function checkTag(tag: unknown, where: string): string {
  if (typeof tag === 'string' && tag !== '' && tag.length <= 64) return tag;
  throw new ToolSearchError('INVALID_CONFIGURATION', `${where}.requireTags: a tag must be 1 to 64 characters.`);
}
