import { randomUUID } from 'node:crypto';
import type { ToolDefinition } from '../tool/tool-definition.js';
import {
  approvalRule,
  type PolicyRefusal,
  policyRefusal,
  toolPolicy,
  type ToolPolicy,
} from './policies/tool-policy.js';

/** Phase in which a caller's filter runs: `search` (find and read), `load`, `active` (list and call). */
export type FilterPhase = 'search' | 'load' | 'active';

const PHASES: readonly FilterPhase[] = ['search', 'load', 'active'];

/** Narrows a toolbox for a sub-agent or one request. It can only remove tools. */
export interface NarrowOptions extends ToolPolicy {
  /** The sub-agent. Its stored policies apply in addition to those of every parent agent. */
  readonly agentId?: string;
  /** The sub-agent's run, which owns its activations. @default a new id; its activations end with the toolbox */
  readonly runId?: string;
  /**
   * Removes single tools. A tool removed from `search` cannot be loaded, and one removed from `load` cannot be called.
   * A filter that throws removes the tool.
   */
  readonly filter?: (tool: ToolDefinition, phase: FilterPhase) => boolean;
}

/** One call of `narrow()`, validated. */
export interface Narrowing {
  readonly runId: string;
  /** The run id was generated, so no later request can name it. */
  readonly ephemeral: boolean;
  readonly agentId?: string;
  readonly policy: ToolPolicy;
  readonly filter?: NarrowOptions['filter'];
}

/** Validates the options. @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field or an invalid glob */
export function narrowing({ agentId, runId, filter, ...policy }: NarrowOptions): Narrowing {
  return {
    runId: runId ?? randomUUID(),
    ephemeral: runId === undefined,
    policy: toolPolicy(policy, 'narrow()'),
    ...(agentId !== undefined && { agentId }),
    ...(filter && { filter }),
  };
}

/** Why one of the steps removes the tool in this phase; undefined when none does. */
export function narrowingRefusal(
  steps: readonly Narrowing[],
  tool: ToolDefinition,
  phase: FilterPhase,
): PolicyRefusal | undefined {
  for (const { policy, filter } of steps) {
    const refusal = policyRefusal(policy, tool);
    if (refusal) return { ...refusal, rule: `narrowed:${refusal.rule}` };
    const left = filter && firstRefused(filter, tool, phase);
    if (left) return { rule: `narrowed:filter-${left}`, reason: `the caller's filter takes it away from ${left}` };
  }
  return undefined;
}

export function narrowingApproval(steps: readonly Narrowing[], tool: ToolDefinition): string | undefined {
  const rule = steps.map(({ policy }) => approvalRule(policy, tool)).find((each) => each !== undefined);
  return rule === undefined ? undefined : `narrowed:${rule}`;
}

// Checks this phase and every earlier one.
function firstRefused(filter: NonNullable<Narrowing['filter']>, tool: ToolDefinition, phase: FilterPhase) {
  return PHASES.slice(0, PHASES.indexOf(phase) + 1).find((each) => {
    try {
      return filter(tool, each) !== true;
    } catch {
      return true;
    }
  });
}
