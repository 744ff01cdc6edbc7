import type { Caller, ToolGate } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { argumentsDecisionNow } from './arguments-decision.js';
import { isCovered } from './askers.js';
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

/** What is known of work that is no call. */
interface DecidedWork {
  /** What the rules on arguments say now, if they do not refuse. */
  readonly onArguments: Decision | undefined;
  /** Who asked for the approval that it has got. */
  readonly asked: readonly Decision[];
}

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
 * @param work of a use that is no call. @default no rule on arguments asks about it, and it has got no approval of its own
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `GATE_CLOSED`
 */
export function decideAgain(use: DecidedUse, services: DecisionServices, work?: DecidedWork): void {
  if (!isStillAllowed(use, services, work)) throw unavailableError();
}

/** {@link decideAgain} as a question. @throws ToolSearchError `GATE_CLOSED` */
export function isStillAllowed(use: DecidedUse, services: DecisionServices, work?: DecidedWork): boolean {
  const { tool, caller } = use;
  const { reader, gate } = services;
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const id = snapshot.idOf(tool.name, tenantId);
  const isThere = id !== undefined && snapshot.at(id).hash === tool.hash;
  const refusal =
    gate.refusalNow(tool, caller) ??
    (isThere ? undefined : WITHDRAWN) ??
    ('given' in use
      ? unasked(use, gate, argumentsDecisionNow(use, gate), use.state.asked)
      : unasked(use, gate, work?.onArguments, work?.asked));
  if (!refusal) return true;
  reportRedecided(use, refusal, services);
  return false;
}

/** The refusal by a rule on arguments, or the approval that is needed now and that nobody has asked for. */
function unasked(
  use: AdmittedUse,
  gate: ToolGate,
  onArguments: Decision | undefined,
  asked: readonly Decision[] = [],
): Decision | undefined {
  if (onArguments?.outcome === 'deny') return onArguments;
  const needed = [gate.approvalOf(use.tool, use.caller), onArguments];
  return needed.find((each) => each && !isCovered(each, use, asked));
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

/** A use that was decided about before. */
export type RedecidedUse = Pick<AdmittedUse, 'tool' | 'caller' | 'trace'>;

/**
 * Emits `tool.denied`, and tells the record of a use that was admitted what it is refused for: a refusal, or an approval that
 * nobody has asked for.
 */
export function reportRedecided(
  { tool, caller, trace }: RedecidedUse,
  decision: Decision,
  services: Pick<DecisionServices, 'events'>,
): void {
  reportDenied(caller, tool.name, decision, services);
  trace?.redecided(decision);
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
