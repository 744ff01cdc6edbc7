import { firstOf } from '../collections/records.js';
import { randomUUID } from 'node:crypto';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { type NamedRule, rulesOn } from './arguments/argument-verdict.js';
import { type AskingRule, strictest } from './policies/approval-rule.js';
import {
  approvalRule,
  type PolicyRefusal,
  policyRefusal,
  toolPolicy,
  type ToolPolicy,
} from './policies/tool-policy.js';

/** Phase in which a caller's filter runs: `search` (find and read), `load`, `active` (list and call). */
export type FilterPhase = 'search' | 'load' | 'active';

/** Narrows a toolbox for a sub-agent or one request. It can only remove tools. */
export interface NarrowOptions extends ToolPolicy {
  /** The sub-agent. Its stored policies apply in addition to those of every parent agent. */
  readonly agentId?: string;
  /**
   * The sub-agent's run, which owns its activations.
   *
   * @default with a `filter` and no `agentId`: the caller's own run and session. Otherwise a new id; its activations end
   *   with the toolbox
   */
  readonly runId?: string;
  /**
   * Removes single tools. A tool removed from `search` cannot be loaded, and one removed from `load` cannot be called.
   * A filter that throws or answers after the visibility deadline removes the tool. It is asked about each visible tool;
   * an asynchronous one about 100 at a time, so keep it cheap, or use a visibility policy, which sees all at once.
   */
  readonly filter?: (tool: ToolDefinition, phase: FilterPhase) => boolean | Promise<boolean>;
}

export interface Narrowing {
  /** Its own run; absent for a mere filter, which stays in the run and session of the toolbox that it filters. */
  readonly run?: {
    readonly id: string;
    /** The id was generated, so no later request can name it. */
    readonly ephemeral: boolean;
  };
  readonly agentId?: string;
  readonly policy: ToolPolicy;
  readonly filter?: NarrowOptions['filter'];
}

/** Validates the options. @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field or an invalid glob */
export function narrowing({ agentId, runId, filter, ...policy }: NarrowOptions): Narrowing {
  const staysInRun = filter !== undefined && agentId === undefined && runId === undefined;
  return {
    policy: toolPolicy(policy, 'narrow()'),
    ...(!staysInRun && { run: { id: runId ?? randomUUID(), ephemeral: runId === undefined } }),
    ...(agentId !== undefined && { agentId }),
    ...(filter && { filter }),
  };
}

/** Why the policy of one of the steps removes the tool; undefined when none does. */
export function narrowingRefusal(steps: readonly Narrowing[], tool: ToolDefinition): PolicyRefusal | undefined {
  // A page of MCP Apps is open with a tool that names it, so what chooses tools chooses their pages.
  const ofTool = ({ policy }: Narrowing) => (tool.appPage ? { deny: policy.deny } : policy);
  const refusal = firstOf(steps, (step) => policyRefusal(ofTool(step), tool));
  return refusal && { ...refusal, rule: `narrowed:${refusal.rule}` };
}

/** The strictest rule by which one of the steps requires an approval of the tool, or undefined. */
export function narrowingApproval(steps: readonly Narrowing[], tool: ToolDefinition): AskingRule | undefined {
  const asking = strictest(steps.map(({ policy }) => approvalRule(policy, tool)));
  return asking && { ...asking, rule: `narrowed:${asking.rule}` };
}

export function narrowingArgumentRules(steps: readonly Narrowing[], tool: ToolDefinition): readonly NamedRule[] {
  return steps.flatMap(({ policy }) => rulesOn(policy, tool, 'narrowed:'));
}
