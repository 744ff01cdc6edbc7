import { isSafeText } from '../../json/safe-text.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlRecord } from '../control/control-store.js';
import { invalidRequest } from '../control/invalid-request.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { type Approval, type ApprovalValue, approvalValueOf } from './approval.js';

export const MAX_FOR_MS = 7 * 86_400_000;
const MAX_NOTE = 500;

/** A decision about an approval. `expectedRevision` is that of the decision it replaces. @default nobody has decided */
export type DecideRequest = OperatorRequest & {
  /** Decides only a request of this tenant; others do not exist. @default any tenant's */
  readonly tenantId?: string;
};

export type ApproveRequest = DecideRequest & {
  readonly forMs?: number;
  /** Up to 500 characters that the model reads with the result of the approved call. */
  readonly note?: string;
  readonly by?: Pick<ToolContext, 'tenantId' | 'userId'>;
};

/** A decision to be made: what becomes of the request, when, and how many milliseconds it holds. */
interface Decision {
  readonly status: 'approved' | 'refused';
  readonly now: number;
  readonly forMs: number;
}

/**
 * How many milliseconds an approval holds.
 *
 * @throws ToolSearchError `INVALID_REQUEST`, also for a note that is no line of text
 */
export function approvedFor({ forMs, note = '' }: ApproveRequest, defaultMs: number): number {
  const holds = forMs ?? defaultMs;
  if (!Number.isSafeInteger(holds) || holds < 1 || holds > MAX_FOR_MS) {
    throw new ToolSearchError(
      'INVALID_REQUEST',
      `forMs must be a whole number of milliseconds from 1 to ${MAX_FOR_MS}.`,
    );
  }
  if (note !== '' && !isSafeText(note, MAX_NOTE)) {
    throw invalidRequest('The request', `note must be one line of at most ${MAX_NOTE} visible characters.`);
  }
  return holds;
}

/**
 * A request with the decision about it, if this operator may make it.
 *
 * @throws ToolSearchError `NOT_FOUND`; `FORBIDDEN` for the requesting user, and when the context named no user;
 *   `INVALID_REQUEST` for a note about more than one call
 */
export function decidedApproval(
  known: ControlRecord | undefined,
  { tenantId, actor, reason, note = '', by }: ApproveRequest,
  { status, now, forMs }: Decision,
): ApprovalValue {
  const isOfTenant = tenantId === undefined || known?.tenantId === tenantId;
  if (!known || known.expiresAt <= now || !isOfTenant) {
    throw new ToolSearchError('NOT_FOUND', 'Nobody waits for this approval.', { hint: 'List the approvals anew.' });
  }
  const asked = approvalValueOf(known);
  if (status === 'refused') return { ...asked, status, actor, reason, note: '', expiresAt: now + forMs };
  if (note !== '' && asked.covers !== 'call') {
    throw invalidRequest(
      'The request',
      'a model reads a note with the one call that it is about; this approval covers more.',
    );
  }
  if (asked.userId.trim() === '') {
    throw new ToolSearchError('FORBIDDEN', 'Nobody knows who asked, so nobody can be a second person.', {
      hint: 'Let the context name its user (userId) where tools need an approval.',
    });
  }
  if (isTheirs(asked, actor, by)) {
    throw new ToolSearchError('FORBIDDEN', 'Nobody approves what they asked for themselves.', {
      hint: 'Ask a second person.',
    });
  }
  return { ...asked, status, actor, reason, note, expiresAt: now + forMs };
}

function isTheirs(wish: Pick<Approval, 'tenantId' | 'userId'>, actor: string, by: ApproveRequest['by']): boolean {
  if (!by) return personOf(wish.userId) === personOf(actor);
  return wish.tenantId === by.tenantId && personOf(wish.userId) === personOf(by.userId ?? '');
}

// Directories compare names without regard to case.
function personOf(name: string): string {
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
