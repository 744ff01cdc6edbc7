import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';

/**
 * The application's own rule about which tools this context may see. Asked in one batch for lists and with a single tool
 * for a call, so a tool's answer must not depend on which others were asked.
 *
 * Fails closed: throwing, taking longer than the deadline or returning a tool that was not given means hidden.
 */
export interface ToolVisibilityPolicy {
  /** The tools of `tools` that the context may see; return the objects that were given, not copies. */
  filter(
    tools: readonly ToolDefinition[],
    context: ToolContext,
  ): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]>;
  /**
   * Equal for contexts that see the same tools, for example the plan's name; answers are then shared between requests
   * until the catalog or a policy changes. Without it, or when it returns undefined, `filter` runs once per toolbox and
   * again after five seconds.
   */
  cacheKey?(context: ToolContext): string | undefined | Promise<string | undefined>;
}

/** What the visibility policies left over, and whether one of them failed. */
export interface VisibilityAnswer {
  readonly visible: ReadonlySet<ToolDefinition>;
  /** Why everything is hidden; for operators. */
  readonly fault?: string;
}

/**
 * The tools that every policy lets through.
 *
 * @param deadlineMs milliseconds for each policy
 */
export async function askVisibility(
  policies: readonly ToolVisibilityPolicy[],
  tools: readonly ToolDefinition[],
  context: ToolContext,
  deadlineMs: number,
): Promise<VisibilityAnswer> {
  let visible: ReadonlySet<ToolDefinition> = new Set(tools);
  if (tools.length === 0) return { visible };
  const answers = await Promise.all(policies.map((policy) => askOne(policy, tools, context, deadlineMs)));
  for (const answer of answers) {
    if (answer.fault !== undefined) return { visible: new Set(), fault: answer.fault };
    visible = intersect(visible, answer.visible);
  }
  return { visible };
}

async function askOne(
  policy: ToolVisibilityPolicy,
  tools: readonly ToolDefinition[],
  context: ToolContext,
  deadlineMs: number,
): Promise<VisibilityAnswer> {
  const nothing = new Set<ToolDefinition>();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), deadlineMs);
  });
  try {
    const answer = await Promise.race([Promise.resolve(policy.filter(tools, context)), late]);
    if (answer === 'late') return { visible: nothing, fault: `visibility policy took longer than ${deadlineMs} ms` };
    return { visible: new Set(answer) };
  } catch {
    return { visible: nothing, fault: 'visibility policy threw' };
  } finally {
    clearTimeout(timer);
  }
}

function intersect<T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...left].filter((item) => right.has(item)));
}

/** One key for all policies together, or undefined when answers may not be shared. A throwing `cacheKey` shares nothing. */
export async function visibilityKey(
  policies: readonly ToolVisibilityPolicy[],
  context: ToolContext,
): Promise<string | undefined> {
  const keys: string[] = [];
  for (const policy of policies) {
    let key: string | undefined;
    try {
      key = await policy.cacheKey?.(context);
    } catch {
      return undefined;
    }
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return JSON.stringify(keys);
}
