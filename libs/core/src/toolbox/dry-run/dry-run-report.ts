import { addTo } from '../../collections/records.js';
import type { CallRecord } from '../record/call-record.js';

/**
 * How a statement about the past is known. `recorded`: the record says it; `recomputed`: from the record and a stored
 * definition or decision of that moment; `not_recorded`: nobody can know.
 */
export type Evidence = 'recorded' | 'recomputed' | 'not_recorded';

/** Effect of the change on one recorded call. `unknown` exactly where the evidence is `not_recorded`. */
export interface DryRunEffect {
  readonly becomes: 'refused' | 'approval' | 'unknown';
  readonly evidence: Evidence;
}

/** Calls of one tenant and tool that would have ended in another way. */
export interface DryRunGroup extends DryRunEffect {
  readonly tenantId: string;
  readonly tool: string;
  readonly calls: number;
}

/** One such call. */
export interface DryRunExample
  extends
    DryRunEffect,
    Pick<CallRecord, 'id' | 'at' | 'tenantId' | 'userId' | 'runId' | 'tool' | 'decision' | 'layer' | 'outcome'> {}

/** Effects of a change on recorded calls. */
export interface DryRunReport {
  /** How many calls were looked at: the newest ones. */
  readonly calls: number;
  /** Start of the oldest of them, in epoch milliseconds; 0 if there is none. */
  readonly since: number;
  readonly refused: number;
  readonly approval: number;
  /** Calls of which nobody can know: see {@link Evidence}. */
  readonly unknown: number;
  /** Calls that would have ended as they did. */
  readonly unchanged: number;
  /** The largest 100, the largest first. */
  readonly groups: readonly DryRunGroup[];
  /** The newest 20. */
  readonly examples: readonly DryRunExample[];
}

const MAX_GROUPS = 100;
const MAX_EXAMPLES = 20;

/** @param effects what changes for the calls that are not unchanged, the newest first */
export function dryRunReport(
  calls: readonly CallRecord[],
  effects: ReadonlyMap<CallRecord, DryRunEffect>,
): DryRunReport {
  const grouped = new Map<string, [CallRecord, DryRunEffect][]>();
  const counts = { refused: 0, approval: 0, unknown: 0 };
  const changed = calls.flatMap((call): [CallRecord, DryRunEffect][] => {
    const effect = effects.get(call);
    return effect ? [[call, effect]] : [];
  });
  for (const [call, effect] of changed) {
    counts[effect.becomes] += 1;
    const key = JSON.stringify([call.tenantId, call.tool, effect.becomes, effect.evidence]);
    addTo(grouped, key, [call, effect]);
  }
  const groups = [...grouped.values()].flatMap((group): DryRunGroup[] => {
    const [first] = group;
    if (!first) return [];
    const [{ tenantId, tool }, effect] = first;
    return [{ tenantId, tool, ...effect, calls: group.length }];
  });
  return {
    calls: calls.length,
    since: calls.at(-1)?.at ?? 0,
    ...counts,
    unchanged: calls.length - changed.length,
    groups: groups.sort((left, right) => right.calls - left.calls).slice(0, MAX_GROUPS),
    examples: changed.slice(0, MAX_EXAMPLES).map(([call, effect]) => {
      const { id, at, tenantId, userId, runId, tool, decision, layer, outcome } = call;
      return { id, at, tenantId, userId, runId, tool, decision, layer, outcome, ...effect };
    }),
  };
}
