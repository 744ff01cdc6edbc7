import { type CounterState, taken } from '../../access/limits/counter.js';
import type { ToolLimit } from '../../access/limits/limit.js';
import { counterKeys, countedLimit, LimitSet, type LimitSubject } from '../../access/limits/limit-set.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { CallRecord } from '../record/call-record.js';
import type { DryRunEffect } from './dry-run-report.js';

/** Outcomes of calls that end before a limit counts them. */
const BEFORE_LIMITS: ReadonlySet<string> = new Set(['INVALID_ARGUMENTS', 'ARGUMENTS_TOO_LARGE']);
const REFUSED: DryRunEffect = { becomes: 'refused', evidence: 'recomputed' };
const UNKNOWN: DryRunEffect = { becomes: 'unknown', evidence: 'not_recorded' };

/**
 * Counts recorded calls again, the oldest first, as the limit would have counted them. Calls before the first one are
 * not counted. Tokens and costs of calls are not recorded.
 *
 * @param calls the newest first
 * @param definitionOf the definition that a call used; undefined if it is not known any more
 */
export function limitEffects(
  limit: ToolLimit,
  calls: readonly CallRecord[],
  definitionOf: (call: CallRecord) => ToolDefinition | undefined,
): ReadonlyMap<CallRecord, DryRunEffect> {
  const counted = countedLimit(limit, 'stored');
  const set = new LimitSet([limit], 'stored');
  const states = new Map<string, CounterState>();
  const effects = new Map<CallRecord, DryRunEffect>();
  for (const call of calls.toReversed()) {
    if (call.decision === 'deny') {
      // It was refused by the limit that is to be replaced. What it would have done otherwise, nobody knows.
      if (call.layer === 'limit' && call.rule === limit.id) effects.set(call, UNKNOWN);
      continue;
    }
    if (call.callId === '' || BEFORE_LIMITS.has(call.outcome)) continue;
    const tool = definitionOf(call);
    if (!tool) {
      effects.set(call, UNKNOWN);
      continue;
    }
    const subject = subjectOf(call, tool);
    const found: unknown[] = [];
    set.collect(subject, found as Parameters<LimitSet['collect']>[1]);
    if (found.length === 0) continue;
    if (counted.unit !== 'calls' && counted.unit !== 'running') {
      effects.set(call, UNKNOWN);
      continue;
    }
    const keys = counterKeys(counted, subject);
    const leaseMs = Math.max(1, Math.ceil(call.ms));
    const next = keys.map((key) =>
      taken(counted.rule, states.get(key), call.at, { amount: 1, leaseId: call.id, leaseMs }),
    );
    if (next.some((each) => each === undefined)) effects.set(call, REFUSED);
    else for (const [index, key] of keys.entries()) states.set(key, next[index]?.state ?? []);
  }
  return effects;
}

function subjectOf({ tenantId, userId, sessionId, agentIds }: CallRecord, tool: ToolDefinition): LimitSubject {
  const context = { tenantId, ...(userId !== '' && { userId }), ...(sessionId !== '' && { sessionId }) };
  return { tool, context, agentIds };
}
