import { NOBODY_ASKS } from '../../access/call-policies/call-policies.js';
import { type Caller, type ToolGate, UNOPENED_PAGE } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { argumentsDecisionNow } from './arguments-decision.js';
import { isCovered } from './askers.js';
import { unavailableError } from './call-errors.js';
import type { AdmittedUse, ApprovedCall } from './call-types.js';

export interface DecisionServices {
  readonly gate: ToolGate;
  /** The catalog that toolboxes read: the shared one, or one made for a single request. */
  readonly reader: CatalogReader;
  readonly events: ToolEvents;
  /** The tools that name a page of MCP Apps. @default there are no pages in the catalog that is read */
  readonly openersOf?: (page: ToolDefinition, tenantId: string) => readonly ToolDefinition[];
}

/** The decision about a name, and the tool that has it. */
export interface Decided {
  readonly tool: ToolDefinition | undefined;
  readonly executor: ToolExecutor | undefined;
  readonly decision: Decision;
  readonly catalogRevision: number;
}

/** What a use of a tool depends on beside the tool. */
interface DecidedArguments {
  /** What the rules on arguments say now. */
  readonly onArguments: Decision | undefined;
  /** Who asked for the approval that the use has got. */
  readonly asked: readonly Decision[];
}

/** Of a use without arguments to decide about, and without an approval of its own. */
export const NO_ARGUMENTS_DECIDED: DecidedArguments = { onArguments: undefined, asked: NOBODY_ASKS };

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
  { gate, reader, openersOf }: Pick<DecisionServices, 'gate' | 'reader' | 'openersOf'>,
): Promise<Decided> {
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const id = typeof name === 'string' ? snapshot.idOf(name, tenantId) : undefined;
  const tool = id === undefined ? undefined : snapshot.at(id);
  const executor = id === undefined ? undefined : snapshot.executorOf(id);
  // At the same time, so that a page that no tool opens takes as long as an unknown name.
  const [own, isOpen] = await Promise.all([
    gate.decide(tool, caller),
    !tool?.appPage || gate.allowsOneOf(openersOf?.(tool, tenantId) ?? [], caller),
  ]);
  const decision = isOpen || own.outcome === 'deny' ? own : UNOPENED_PAGE;
  return { tool, executor, decision, catalogRevision: snapshot.revision };
}

/**
 * Checks what may have changed since the decision about a use that is no call, without waiting for anything: the catalog,
 * the operators' rules, and the need for an approval.
 *
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `GATE_CLOSED`
 */
export function decideAgain(use: AdmittedUse, decided: DecidedArguments, services: DecisionServices): void {
  if (!isAllowedNow(use, decided, services)) throw unavailableError();
}

/** {@link decideAgain} about a call, and by the rules on its arguments. @throws ToolSearchError as {@link decideAgain} */
export function decideCallAgain(call: ApprovedCall, services: DecisionServices): void {
  if (!isStillAllowed(call, services)) throw unavailableError();
}

/** {@link decideCallAgain} as a question. @throws ToolSearchError `GATE_CLOSED` */
export function isStillAllowed(call: ApprovedCall, services: DecisionServices): boolean {
  const decided = { onArguments: argumentsDecisionNow(call, services.gate), asked: call.asked };
  return isAllowedNow(call, decided, services);
}

function isAllowedNow(use: AdmittedUse, decided: DecidedArguments, services: DecisionServices): boolean {
  const { tool, caller } = use;
  const { reader, gate, openersOf } = services;
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const id = snapshot.idOf(tool.name, tenantId);
  const isThere = id !== undefined && snapshot.at(id).hash === tool.hash;
  const isOpen = !tool.appPage || openersOf?.(tool, tenantId).some((each) => !gate.refusalNow(each, caller));
  const refusal =
    gate.refusalNow(tool, caller) ??
    (isThere ? undefined : WITHDRAWN) ??
    (isOpen ? undefined : UNOPENED_PAGE) ??
    objection(use, decided, gate);
  if (!refusal) return true;
  reportRedecided(use, refusal, services);
  return false;
}

/** The refusal by a rule on arguments, or the approval that is needed now and that nobody has asked for. */
function objection(use: AdmittedUse, { onArguments, asked }: DecidedArguments, gate: ToolGate): Decision | undefined {
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
