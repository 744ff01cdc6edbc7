import { errorOf } from '../../access/limits/limit-failure.js';
import { UNKNOWN_TOOL } from '../../access/tool-gate.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { isLegalName } from '../../tool/tool-name.js';
import { unavailableError } from './call-errors.js';
import type { Admission, NamedUse } from './call-types.js';
import { type Decided, decide, type DecisionServices, reportDenied } from './decide.js';
import { retiredError } from './deprecation.js';
import { idOfListedName } from './listed-name.js';
import { type ApprovalServices, isAskedWithArguments, missingApproval } from './require-approval.js';

export interface AdmissionServices extends DecisionServices, ApprovalServices {}

/**
 * Authorizes the use of a tool by its name, and emits `tool.denied` for a refusal. A use whose approval is asked for with its
 * arguments is let through: a caller that goes on with it must ask for that (`approve-call.ts`).
 *
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE`; `TOOL_RETIRED` after the sunset of a deprecated tool; `APPROVAL_…` or
 *   `SESSION_REQUIRED` when an approval is missing; what the option `refuse` returns; `GATE_CLOSED`, `STORE_UNAVAILABLE`
 */
export async function admit<T extends NamedUse>(use: T, services: AdmissionServices): Promise<T & Admission> {
  const { name, caller, trace } = use;
  const snapshot = services.reader.current(caller.context.tenantId);
  const isNamed = typeof name !== 'string' || snapshot.idOf(name, caller.context.tenantId) !== undefined;
  const { tool, executor, decision, catalogRevision } = await decidedByListedName(use, snapshot, isNamed, services);
  // A text that is not a legal name may contain anything, including secrets and line breaks: keep it out of events.
  const asked = typeof name === 'string' && isLegalName(name) ? name : '(not a tool name)';
  trace?.decided({ tool, decision, asked, catalogRevision });
  if (!tool || !executor || decision.outcome === 'deny') {
    reportDenied(caller, tool?.name ?? asked, decision, services);
    // The layers before have shown the tool to the caller.
    if (tool && isNamed && decision.layer === 'lifecycle') throw await retiredError(tool, use, services);
    throw unavailableError();
  }
  const refusal = use.options.refuse?.(tool);
  if (refusal) throw errorOf(refusal);
  const isApproved = decision.outcome !== 'approve' || !isAskedWithArguments(decision, tool, caller, services);
  const missing =
    isApproved && decision.outcome === 'approve' && (await missingApproval(use, tool, decision, services));
  if (missing) throw missing;
  return Object.assign(use, { tool, executor, decision, isApproved });
}

// A hidden tool is recorded as what it is, by whichever name of a list it was called, and answered like an unknown one.
async function decidedByListedName(
  { name, caller, request, options: { bareNames } }: NamedUse,
  snapshot: CatalogSnapshot,
  isNamed: boolean,
  services: DecisionServices,
): Promise<Decided> {
  const listed = isNamed ? undefined : await idOfListedName(snapshot, name, request, caller, bareNames);
  const decided = await decide(listed === undefined ? name : snapshot.at(listed).name, caller, services);
  if (decided.decision.outcome !== 'deny') {
    // Only its own name reaches a tool that may be called.
    return isNamed ? decided : { ...decided, tool: undefined, decision: UNKNOWN_TOOL };
  }
  // The time must not tell a hidden tool from an unknown one.
  if (isNamed && typeof name === 'string') await idOfListedName(snapshot, name, request, caller, bareNames);
  return decided;
}
