import { z } from 'zod';
import { stableJson } from '../../json/stable-hash.js';
import { described, object, oneOf } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globMatches } from '../../tool/tool-name.js';

/** What one approval allows: one call with exactly the approved arguments, or every call in a run or session for a time. */
export type ApprovalCoverage = 'call' | 'session';

/** One entry of `policy.approval`. */
export function approvalEntry() {
  return described(
    z.union([glob(), object({ tools: glob(), scope: oneOf('session') })]),
    'a tool name or glob, or { tools, scope: "session" }',
  );
}

/**
 * Tools that a second person must approve, as a name or glob. A plain text asks for each call; `scope: 'session'` asks once
 * for all calls of a tool in a run or session.
 */
export type ApprovalEntry = z.input<ReturnType<typeof approvalEntry>>;

/** The rule that asks for an approval. */
export interface AskingRule {
  /** `approval:<glob>`, after the level of its policy. */
  readonly rule: string;
  readonly scope: ApprovalCoverage;
  /** The rule itself as canonical JSON: an approval for one call does not outlive a change of it. */
  readonly content: string;
}

/** The globs of an entry. */
export function globOf(entry: ApprovalEntry): string {
  return typeof entry === 'string' ? entry : entry.tools;
}

/** The strictest rule by which these entries ask for an approval of a tool, or undefined. */
export function askingRule(entries: readonly ApprovalEntry[], tool: ToolDefinition): AskingRule | undefined {
  const names = [tool.name, ...tool.aliases];
  const asking = entries.filter((entry) => names.some((name) => globMatches(globOf(entry), name)));
  return strictest(
    asking.map((entry) => ({
      rule: `approval:${globOf(entry)}`,
      scope: typeof entry === 'string' ? 'call' : entry.scope,
      content: stableJson(entry),
    })),
  );
}

/** The first rule that asks for each call, else the first of all: a further policy never makes another one weaker. */
export function strictest<T extends { readonly scope?: ApprovalCoverage }>(
  rules: Iterable<T | undefined>,
): T | undefined {
  let first: T | undefined;
  for (const rule of rules) {
    if (rule?.scope === 'call') return rule;
    first ??= rule;
  }
  return first;
}
