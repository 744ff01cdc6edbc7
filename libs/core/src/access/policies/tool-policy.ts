import { isObject } from '../../json/json.js';
import { list, object, type OptionsOf, text } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { checkGlob, globMatches, globTest } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

export const policyOptions = object({
  /** `undefined` = no allow list; `[]` = no tool is allowed. */
  allow: list(glob()).optional(),
  deny: list(glob()).optional(),
  requireTags: list(text(64)).optional(),
  /** Tools that a second person must approve before a session or run may call them; names and aliases. */
  approval: list(glob()).optional(),
});

/**
 * Static limits as globs (`*` crosses dots). `deny` comes first and matches names and aliases; then `allow`, which
 * matches canonical names; then every tag of `requireTags` must be present. Meta tools are exempt.
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

/** The rule by which the policy requires an approval, `approval:<glob>`, or undefined. */
export function approvalRule(policy: ToolPolicy, tool: ToolDefinition): string | undefined {
  const names = [tool.name, ...tool.aliases];
  const asking = policy.approval?.find((glob) => names.some((name) => globMatches(glob, name)));
  return asking === undefined ? undefined : `approval:${asking}`;
}

/** Entries of the policy that match no tool, for example `deny: okk.*`. */
export function unmatchedBy(policy: ToolPolicy, tools: readonly ToolDefinition[]): readonly string[] {
  return FIELDS.flatMap((field) =>
    (policy[field] ?? [])
      .filter((item) => {
        const isMet = field === 'requireTags' ? undefined : globTest(item);
        // `deny` and `approval` also match aliases.
        return !tools.some(({ name, aliases, tags }) =>
          isMet ? isMet(name) || (field !== 'allow' && aliases.some(isMet)) : tags.includes(item),
        );
      })
      .map((item) => `${field}: ${item}`),
  );
}

const FIELDS = ['allow', 'deny', 'requireTags', 'approval'] as const;

/**
 * Validates a policy and returns a frozen copy. Unknown fields are refused: a misspelt `deny` would allow its tools.
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
