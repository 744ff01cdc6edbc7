import type { ControlPlane } from '../control/control-plane.js';
import { approvalKind } from './approval-kind.js';
import { type ApprovalValue, approvalValueOf } from './approval.js';
import { eachRecord } from './each-record.js';

/** Milliseconds in which changes of arguments are counted. */
const WINDOW_MS = 600_000;

/** What a new request finds of its user. */
interface EarlierRequests {
  /**
   * Undecided requests for other calls of the same tool, by the same user and agents in the same run or session, whose place
   * the new one takes: the model has changed its mind about the arguments.
   */
  readonly replaced: readonly ApprovalValue[];
  /** How often requests of the user took the place of others within ten minutes, the new one included. */
  readonly changes: number;
}

/** @throws ToolSearchError `STORE_UNAVAILABLE` */
export async function earlierRequests(plane: ControlPlane, wish: ApprovalValue): Promise<EarlierRequests> {
  const replaced: ApprovalValue[] = [];
  let changes = 0;
  for await (const record of eachRecord(plane, approvalKind.kind, wish.tenantId)) {
    if (record.value['userId'] !== wish.userId) continue;
    const other = approvalValueOf(record);
    changes += recentChanges(other, wish.askedAt);
    const isOpen = record.revision === 0 && record.expiresAt > wish.askedAt;
    if (isOpen && isOtherCall(other, wish)) replaced.push(other);
  }
  return { replaced, changes: changes + replaced.length };
}

const SAME = ['covers', 'status', 'userId', 'scope', 'scopeId', 'tool', 'agents'] as const;

function isOtherCall(other: ApprovalValue, wish: ApprovalValue): boolean {
  return other.id !== wish.id && SAME.every((field) => other[field] === wish[field]);
}

/** A request that takes the place of others. It goes on with their count, because they are gone then. */
export function replacing(replaced: readonly ApprovalValue[], wish: ApprovalValue): ApprovalValue {
  const recent = replaced.filter((other) => isRecent(other, wish.askedAt));
  return {
    ...wish,
    changes: recent.reduce((sum, { changes }) => sum + changes, replaced.length),
    changesSince: Math.min(wish.askedAt, ...recent.map(({ changesSince }) => changesSince)),
  };
}

function recentChanges(request: ApprovalValue, now: number): number {
  return isRecent(request, now) ? request.changes : 0;
}

function isRecent({ changesSince }: ApprovalValue, now: number): boolean {
  return now - changesSince < WINDOW_MS;
}

/** Whether a request was made before another one, so that of two that were made at once the same one stays everywhere. */
export function isEarlier(one: ApprovalValue, other: ApprovalValue): boolean {
  return one.askedAt < other.askedAt || (one.askedAt === other.askedAt && one.id < other.id);
}
