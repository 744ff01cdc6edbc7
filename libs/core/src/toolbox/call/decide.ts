import { strictest } from '../../access/policies/approval-rule.js';
import type { Caller, ToolGate } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { argumentsDecisionNow } from './arguments-decision.js';
import { unavailableError } from './call-errors.js';
import type { AdmittedUse, CheckedCall } from './call-types.js';

export interface DecisionServices {
  readonly gate: ToolGate;
  /** The catalog that toolboxes read: the shared one, or one made for a single request. */
  readonly reader: CatalogReader;
  readonly events: ToolEvents;
}

/** The decision about a name, and the tool that has it. */
export interface Decided {
  readonly tool: ToolDefinition | undefined;
  readonly executor: ToolExecutor | undefined;
  readonly decision: Decision;
  readonly catalogRevision: number;
}

/** A use that the gate has admitted; a call whose arguments the rules have admitted too. */
type DecidedUse = AdmittedUse | CheckedCall;

const WITHDRAWN: Decision = {
  outcome: 'deny',
  layer: 'source',
  rule: 'withdrawn',
  reason: 'the source has withdrawn or changed it meanwhile',
};

/**
 * Decides about a name on the newest snapshot, not the listed one: a tool that was withdrawn a moment ago must not run.
 *
 * @throws ToolSearchError `GATE_CLOSED`
 */
export async function decide(
  name: unknown,
  caller: Caller,
  { gate, reader }: Pick<DecisionServices, 'gate' | 'reader'>,
): Promise<Decided> {
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const id = typeof name === 'string' ? snapshot.idOf(name, tenantId) : undefined;
  const tool = id === undefined ? undefined : snapshot.at(id);
  const executor = id === undefined ? undefined : snapshot.executorOf(id);
  const decision = await gate.decide(tool, caller);
  return { tool, executor, decision, catalogRevision: snapshot.revision };
}

/**
 * Checks what may have changed since the decision, without waiting for anything: the catalog, the operators' rules, those
 * on the arguments of a call included, and the need for an approval.
 *
 * @param onArguments what the rules on arguments say now of work that is no call, and that they do not refuse
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `GATE_CLOSED`
 */
export function decideAgain(use: DecidedUse, services: DecisionServices, onArguments?: Decision): void {
  if (!isStillAllowed(use, services, onArguments)) throw unavailableError();
}

/** {@link decideAgain} as a question. @throws ToolSearchError `GATE_CLOSED` */
export function isStillAllowed(use: DecidedUse, services: DecisionServices, onArguments?: Decision): boolean {
  const { tool, caller, trace } = use;
  const { reader, gate } = services;
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const id = snapshot.idOf(tool.name, tenantId);
  const isThere = id !== undefined && snapshot.at(id).hash === tool.hash;
  const refusal =
    gate.refusalNow(tool, caller) ??
    (isThere ? undefined : WITHDRAWN) ??
    ('given' in use
      ? unasked(use.state.asked ?? use.decision, use, argumentsDecisionNow(use, gate), gate)
      : unasked(use.decision, use, onArguments, gate));
  if (!refusal) return true;
  reportDenied(caller, tool.name, refusal, services);
  trace?.redecided(refusal);
  return false;
}

/**
 * The refusal by a rule on arguments, or the approval that is needed now, unless the use was admitted by this one, or both
 * cover a session.
 */
function unasked(
  admitted: Decision,
  { tool, caller }: AdmittedUse,
  onArguments: Decision | undefined,
  gate: ToolGate,
): Decision | undefined {
  if (onArguments?.outcome === 'deny') return onArguments;
  const needed = strictest([gate.approvalOf(tool, caller), onArguments]);
  if (!needed || admitted.outcome !== 'approve') return needed;
  if (admitted.scope === 'session' && needed.scope === 'session') return undefined;
  return admitted.rule === needed.rule && admitted.content === needed.content ? undefined : needed;
}

/**
 * Whether a result of this tool may be read on now. An approval is not asked for again: it was needed to call the tool.
 *
 * @throws ToolSearchError `GATE_CLOSED`
 */
export async function mayRead(name: string, caller: Caller, services: DecisionServices): Promise<boolean> {
  const { tool, decision } = await decide(name, caller, services);
  if (tool && decision.outcome !== 'deny') return true;
  reportDenied(caller, name, decision, services);
  return false;
}

/** Emits `tool.denied`. */
export function reportDenied(
  { context }: Caller,
  tool: string,
  { layer, rule, reason }: Decision,
  { events }: Pick<DecisionServices, 'events'>,
): void {
  events.emit({ type: 'tool.denied', ...eventIds(context), tool, layer, rule, reason });
}
