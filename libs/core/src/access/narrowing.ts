import { randomUUID } from 'node:crypto';
import type { ToolDefinition } from '../tool/tool-definition.js';
import {
  approvalRule,
  type PolicyRefusal,
  policyRefusal,
  toolPolicy,
  type ToolPolicy,
} from './policies/tool-policy.js';

/** Where a caller's filter is asked: what may be found and read, what may be loaded, what may be listed and called. */
export type FilterPhase = 'search' | 'load' | 'active';

const PHASES: readonly FilterPhase[] = ['search', 'load', 'active'];

/** How a caller narrows a toolbox, for a sub-agent or for one request. It can only take away. */
export interface NarrowOptions extends ToolPolicy {
  /** The sub-agent, whose stored policies apply beside those of every agent above it. */
  readonly agentId?: string;
  /** Its run, for which its activations are kept. @default a new id; its activations go with the toolbox */
  readonly runId?: string;
  /**
   * Takes single tools away. A tool that is kept from searching cannot be loaded, and one that is kept from loading cannot
   * be called. Throwing takes the tool away.
   */
  readonly filter?: (tool: ToolDefinition, phase: FilterPhase) => boolean;
}

/** One step from a toolbox to a narrower one. */
export interface Narrowing {
  readonly runId: string;
  /** Nobody could name the run again. */
  readonly ephemeral: boolean;
  readonly agentId?: string;
  readonly policy: ToolPolicy;
  readonly filter?: NarrowOptions['filter'];
}

/** A checked step. @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field or a glob that matches nothing */
export function narrowing({ agentId, runId, filter, ...policy }: NarrowOptions): Narrowing {
  return {
    runId: runId ?? randomUUID(),
    ephemeral: runId === undefined,
    policy: toolPolicy(policy, 'narrow()'),
    ...(agentId !== undefined && { agentId }),
    ...(filter && { filter }),
  };
}

/** Why one of the steps takes the tool away in this phase, or undefined when none does. */
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

/** The rule by which one of the steps asks for an approval of the tool, or undefined. */
export function narrowingApproval(steps: readonly Narrowing[], tool: ToolDefinition): string | undefined {
  const rule = steps.map(({ policy }) => approvalRule(policy, tool)).find((each) => each !== undefined);
  return rule === undefined ? undefined : `narrowed:${rule}`;
}

// What is open to a later phase is open to every earlier one.
function firstRefused(filter: NonNullable<Narrowing['filter']>, tool: ToolDefinition, phase: FilterPhase) {
  return PHASES.slice(0, PHASES.indexOf(phase) + 1).find((each) => {
    try {
      return filter(tool, each) !== true;
    } catch {
      return true;
    }
  });
}
