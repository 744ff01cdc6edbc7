import { z } from 'zod';
import type { JsonObject } from '../../json/json.js';
import { described, object, type OptionsOf, whole } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globSet } from '../../tool/tool-name.js';

/** A call of a tool, or a read of a resource or prompt, as a call policy sees it. Frozen. */
export interface PolicyCall {
  /** By its canonical name, whichever name the model used; `kind` is set for a resource or prompt. */
  readonly tool: ToolDefinition;
  /**
   * The JSON that will run: checked against the input schema, after interceptors, under the names that models see. A member
   * to which the schema gives a `default` is there. Of a template: `{ uri }`.
   */
  readonly arguments: JsonObject;
  /** Who asks. For a sub-agent, the policy is asked for the agents above it too. */
  readonly context: ToolContext;
  /** Aborts when the time of the policy is over or the call ends. */
  readonly signal: AbortSignal;
}

/** What a call policy says about a call. */
export type CallPolicyAnswer =
  | { readonly outcome: 'allow' }
  | {
      readonly outcome: 'deny';
      /** For operators, at most 500 characters. */
      readonly reason: string;
      /** What the caller reads, at most 500 characters. @default that the call is not allowed */
      readonly message?: string;
    }
  | {
      /** A second person must approve exactly this call. */
      readonly outcome: 'approve';
      /** For operators, at most 500 characters. */
      readonly reason: string;
    };

/**
 * The application's own decision about single calls, by tool, caller and arguments: in code, or by asking a decision point
 * outside. It is asked for each call, after all that hides tools and the rules on arguments, and before limits. Of several
 * policies, every one must allow the call.
 *
 * Fails closed: if it throws, takes longer than `callPolicies.deadlineMs` or answers anything else, the call is refused with
 * `INTERNAL`, and the cause is logged.
 */
export interface ToolCallPolicy {
  /** Whether the call may run. It must change nothing: one call may be asked about several times. */
  decide(call: PolicyCall): CallPolicyAnswer | Promise<CallPolicyAnswer>;
  /**
   * Equal for calls of one tool by callers of one tenant that get the same answer, so it names every member of the
   * arguments and of the context that `decide` reads. `allow` and `deny` are then remembered in this process for `cacheMs`.
   * Without it, or when it throws or returns undefined, every call asks.
   */
  cacheKey?(call: PolicyCall): string | undefined | Promise<string | undefined>;
}

export const callPolicyOptions = object({
  /** Names, aliases or globs of the tools that it decides about, at most 100. @default all tools, resources and prompts */
  tools: described(z.array(glob()).min(1).max(100), 'a list of 1 to 100 tool names or globs').readonly().optional(),
  /** Milliseconds for which an answer with a `cacheKey` is remembered, up to an hour. @default 5000 */
  cacheMs: whole(1, 3_600_000).default(5000),
});

/** Which tools a call policy decides about, and how long its answers are remembered. */
export interface CallPolicyOptions extends OptionsOf<typeof callPolicyOptions> {}

/** A call policy, and the name of its class. */
export interface NamedCallPolicy {
  readonly name: string;
  readonly policy: ToolCallPolicy;
  readonly isFor: (tool: Pick<ToolDefinition, 'name' | 'aliases'>) => boolean;
  readonly cacheMs: number;
}

/** @param options that were checked */
export function namedCallPolicy(
  name: string,
  policy: ToolCallPolicy,
  { tools, cacheMs = 5000 }: CallPolicyOptions = {},
): NamedCallPolicy {
  const isNamed = tools && globSet(tools);
  const isFor: NamedCallPolicy['isFor'] = (tool) => !isNamed || isNamed(tool.name) || tool.aliases.some(isNamed);
  return { name, policy, isFor, cacheMs };
}
