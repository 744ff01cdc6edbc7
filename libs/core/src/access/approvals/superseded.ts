import type { ControlPlane } from '../control/control-plane.js';
import type { ControlRecord } from '../control/control-store.js';
import { approvalKind } from './approval-kind.js';
import { type ApprovalValue, approvalValueOf } from './approval.js';
import { eachRecord } from './each-record.js';

/**
 * Undecided requests for other calls of the same tool, by the same user and agents in the same run or session: the model
 * has changed its mind about the arguments.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE`
 */
export async function otherRequests(plane: ControlPlane, wish: ApprovalValue): Promise<readonly ApprovalValue[]> {
  const found: ApprovalValue[] = [];
  for await (const record of eachRecord(plane, approvalKind.kind, wish.tenantId)) {
    found.push(...otherRequest(record, wish));
  }
  return found;
}

const SAME = ['covers', 'status', 'userId', 'scope', 'scopeId', 'tool', 'agents'] as const;

function otherRequest(record: ControlRecord, wish: ApprovalValue): ApprovalValue[] {
  if (record.revision !== 0) return [];
  const other = approvalValueOf(record);
  return other.id !== wish.id && SAME.every((field) => other[field] === wish[field]) ? [other] : [];
}

/** Whether a request was made before another one, so that of two that were made at once the same one stays everywhere. */
export function isEarlier(one: ApprovalValue, other: ApprovalValue): boolean {
  return one.askedAt < other.askedAt || (one.askedAt === other.askedAt && one.id < other.id);
}
