import type { Approval } from '../../access/approvals/approval.js';
import { parsedJson } from '../../json/json.js';
import { shownArguments } from '../call/shown-arguments.js';
import type { CallRecord } from './call-record.js';
import type { ToolCallRecords } from './tool-call-records.js';

/** A call that waits for an approval, as the record has it. `arguments` are redacted; absent where they were left out. */
export interface WaitingCall extends Pick<CallRecord, 'id' | 'at' | 'argumentBytes' | 'arguments'> {
  /** The arguments by members, as in {@link shownArguments}; absent where there are too many members to show. */
  readonly shown?: string;
}

/** The clock of the store, which dates the request, and that of the process, which dates the call, may differ. */
const CLOCKS_DIFFER_MS = 60_000;
/** Calls of the same session that are looked through: others than those that wait may be among them. */
const NEWEST = 20;

/**
 * The newest recorded call that waits for an approval. Undefined if none is recorded: the tool was only loaded, or the
 * record is off or has lost it.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE`
 */
export async function waitingCall(
  records: Pick<ToolCallRecords, 'list'>,
  { tenantId, userId, scope, scopeId, tool, hash, askedAt }: Approval,
): Promise<WaitingCall | undefined> {
  const whose = { tenantId, userId, ...(scope === 'session' ? { sessionId: scopeId } : { runId: scopeId }) };
  const filter = { kind: 'call', ...whose, tool, since: Math.max(0, askedAt - CLOCKS_DIFFER_MS) } as const;
  const found = (await records.list(filter, { limit: NEWEST })).find(
    ({ outcome, definitionHash }) =>
      definitionHash === hash && (outcome === 'APPROVAL_REQUIRED' || outcome === 'APPROVAL_PENDING'),
  );
  if (!found) return undefined;
  const { id, at, argumentBytes, arguments: given } = found;
  const shown = given === undefined ? undefined : shownArguments(parsedJson(given) ?? given);
  return {
    id,
    at,
    argumentBytes,
    ...(given !== undefined && { arguments: given }),
    ...(shown !== undefined && { shown }),
  };
}
