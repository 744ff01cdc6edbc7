import { DeadlineError, withDeadline } from '../async/deadline.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { safeText } from '../json/safe-text.js';

/**
 * The application's own rule about the tools that a context may see. Lists pass all tools in one batch and a call
 * passes a single tool, so the answer for a tool must not depend on the others.
 *
 * Fails closed: if it throws, exceeds the deadline or does not return a list, all tools are hidden. Returned objects
 * that were not passed in are ignored.
 */
export interface ToolVisibilityPolicy {
  /** Returns the tools of `tools` that the context may see: the same objects, not copies. */
  filter(
    tools: readonly ToolDefinition[],
    context: ToolContext,
  ): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]>;
  /**
   * Equal for contexts that see the same tools, for example the plan's name. Answers are then shared between requests
   * until the catalog or a policy changes. Without it, or when it returns undefined, `filter` runs once per toolbox and
   * again after five seconds.
   */
  cacheKey?(context: ToolContext): string | undefined | Promise<string | undefined>;
  /**
   * Why `filter` leaves this tool out for this context, in words for operators, at most 200 characters. Operators of this
   * tenant alone read it too, so it says nothing of other tenants. Only explanations ask for it. If it throws, exceeds the
   * deadline or returns no text, they name the policy alone.
   */
  reasonFor?(tool: ToolDefinition, context: ToolContext): string | undefined | Promise<string | undefined>;
}

export interface VisibilityAnswer {
  readonly visible: ReadonlySet<ToolDefinition>;
  /** Why all tools are hidden; for operators. */
  readonly fault?: string;
  /** The result of each policy; absent after a fault. */
  readonly asked?: readonly PolicyAnswer[];
}

interface PolicyAnswer {
  readonly policy: string;
  readonly visible: ReadonlySet<ToolDefinition>;
  readonly fault?: string;
}

/** Called with the policy that failed and its error. The caller only sees no tools. */
export type PolicyFaultReport = (policy: string, error: unknown) => void;

/** Key under which a wrapper holds the name of the policy it wraps. */
export const POLICY_NAME = Symbol('POLICY_NAME');

function nameOf(policy: ToolVisibilityPolicy & { readonly [POLICY_NAME]?: string }): string {
  return policy[POLICY_NAME] ?? policy.constructor.name;
}

/** The tools that every policy shows. @param deadlineMs milliseconds per policy */
export async function askVisibility(
  policies: readonly ToolVisibilityPolicy[],
  tools: readonly ToolDefinition[],
  context: ToolContext,
  deadlineMs: number,
  report: PolicyFaultReport = () => undefined,
): Promise<VisibilityAnswer> {
  let visible: ReadonlySet<ToolDefinition> = new Set(tools);
  if (tools.length === 0) return { visible };
  const asked = await Promise.all(policies.map((policy) => askOne(policy, tools, context, deadlineMs, report)));
  for (const { fault, visible: shown } of asked) {
    if (fault !== undefined) return { visible: new Set(), fault };
    visible = intersect(visible, shown);
  }
  return { visible, asked };
}

async function askOne(
  policy: ToolVisibilityPolicy,
  tools: readonly ToolDefinition[],
  context: ToolContext,
  deadlineMs: number,
  report: PolicyFaultReport,
): Promise<PolicyAnswer> {
  const name = nameOf(policy);
  const hidden = (fault: string, error: unknown = fault): PolicyAnswer => {
    report(name, error);
    return { policy: name, visible: new Set(), fault: `visibility policy ${name} ${fault}` };
  };
  try {
    const answer = await inTime(() => policy.filter(tools, context), deadlineMs);
    return Array.isArray(answer) ? { policy: name, visible: new Set(answer) } : hidden('did not return a list');
  } catch (error) {
    return error instanceof DeadlineError ? hidden(`took longer than ${deadlineMs} ms`) : hidden('threw', error);
  }
}

// A synchronous answer, as most cache keys are, needs neither a timer nor a promise.
function inTime<T>(work: () => T | Promise<T>, deadlineMs: number): T | Promise<T> {
  const answer = work();
  const isLater = typeof (answer as PromiseLike<T> | undefined)?.then === 'function';
  return isLater ? withDeadline(deadlineMs, () => answer) : answer;
}

const MAX_REASON = 200;

/** The words of the first policy that hides a tool, '' if it has none; undefined if no policy hides it. */
export async function hidingReason(
  policies: readonly ToolVisibilityPolicy[],
  tool: ToolDefinition,
  context: ToolContext,
  deadlineMs: number,
): Promise<string | undefined> {
  for (const policy of policies) {
    const { visible, fault } = await askOne(policy, [tool], context, deadlineMs, () => undefined);
    // A policy that fails now is not the one that hid the tool.
    if (visible.has(tool) || fault !== undefined) continue;
    try {
      const reason: unknown = await inTime(() => policy.reasonFor?.(tool, context), deadlineMs);
      return typeof reason === 'string' ? safeText(reason, MAX_REASON) : '';
    } catch {
      return '';
    }
  }
  return undefined;
}

function intersect<T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...left].filter((item) => right.has(item)));
}

/**
 * One key for all policies together; undefined when answers must not be shared: a `cacheKey` is missing, throws,
 * exceeds the deadline or returns no string.
 */
export async function visibilityKey(
  policies: readonly ToolVisibilityPolicy[],
  context: ToolContext,
  deadlineMs: number,
): Promise<string | undefined> {
  const keys: string[] = [];
  for (const policy of policies) {
    let key: unknown;
    try {
      key = await inTime(() => policy.cacheKey?.(context), deadlineMs);
    } catch {
      return undefined;
    }
    if (typeof key !== 'string') return undefined;
    keys.push(key);
  }
  return JSON.stringify(keys);
}
