import { z } from 'zod';
import { ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ReadRecord } from '../control/control-kind.js';
import type { NewControlRecord } from '../control/control-store.js';
import type { ApprovalCoverage } from '../policies/approval-rule.js';
import { approvalKind } from './approval-kind.js';
import { readFields } from '../control/record-fields.js';

/** All statuses of an approval. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'refused'] as const;

const storedApproval = z.object({
  id: z.string(),
  // Fails closed: any other value counts as refused.
  status: z.enum(APPROVAL_STATUSES).catch('refused'),
  /**
   * One call with exactly these arguments, or every call of the tool in the run or session until it expires. Those that an
   * earlier version wrote cover a session.
   */
  covers: z.enum(['call', 'session']).default('session') satisfies z.ZodType<ApprovalCoverage>,
  tenantId: z.string(),
  /** User of the requesting context; `''` = the context named no user. */
  userId: z.string(),
  scope: z.enum(['run', 'session']).catch('run'),
  scopeId: z.string(),
  tool: z.string(),
  hash: z.string(),
  /** The policy rule that requires the approval. */
  rule: z.string(),
  /** Hash of the arguments of the one call; `''` = it covers a session. */
  digest: z.string().catch(''),
  /** Epoch milliseconds. */
  askedAt: z.number(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
  /** The operator who decided; `''` = undecided. */
  actor: z.string(),
  reason: z.string(),
  /** What the operator tells the model with the result of the approved call; `''` = nothing. */
  note: z.string().catch(''),
});

const storedApprovalValue = storedApproval.extend({
  /** The agents of the one call, as a hash. */
  agents: z.string().catch(''),
  /** How often the request took the place of one for other arguments, since `changesSince`. */
  changes: z.number().catch(0),
  /** Epoch milliseconds. */
  changesSince: z.number().catch(0),
});

/** A request to call one tool in one session or run, and its decision. It holds for one hash of the definition. */
export interface Approval extends Readonly<z.output<typeof storedApproval>> {
  /** The control revision of the decision; 0 = undecided. */
  readonly revision: number;
}

/** A value as it is stored. */
export type ApprovalValue = Readonly<z.output<typeof storedApprovalValue>>;

export function approvalRecord(value: ApprovalValue): NewControlRecord {
  const { id, tenantId, expiresAt } = value;
  return { kind: approvalKind.kind, key: id, tenantId, expiresAt, value: { ...value } };
}

export function approvalOf({ value, revision }: ReadRecord): Approval {
  return { ...readFields(storedApproval, value), revision };
}

export function approvalValueOf({ value }: Pick<ReadRecord, 'value'>): ApprovalValue {
  return readFields(storedApprovalValue, value);
}

export function approvalAnswer({ status, tool, covers }: Approval): ToolSearchError | undefined {
  if (status === 'approved') return undefined;
  return approvalRefusal(status === 'refused' ? 'APPROVAL_REFUSED' : 'APPROVAL_PENDING', tool, covers);
}

const SESSION = {
  APPROVAL_REQUIRED: [
    'needs the approval of a second person, which has been asked for now.',
    'Tell the user, go on with something else, and call it again later.',
  ],
  APPROVAL_PENDING: [
    'waits for the approval of a second person.',
    'Go on with something else, and call it again later.',
  ],
  APPROVAL_REFUSED: [
    'is refused here by a second person.',
    'Do not call it again; tell the user, or find another way.',
  ],
} as const;

const CALL = {
  APPROVAL_REQUIRED: [
    'needs the approval of a second person for this call, which has been asked for now.',
    'Tell the user, go on with something else, and later repeat exactly this call: other arguments are another request, ' +
      'which takes the place of this one.',
  ],
  APPROVAL_PENDING: [
    'waits for the approval of a second person for this call.',
    'Go on with something else, and later repeat exactly this call, with the same arguments.',
  ],
  APPROVAL_REFUSED: [
    'is refused with these arguments by a second person.',
    'Do not repeat this call; tell the user, or find another way.',
  ],
} as const;

export function approvalRefusal(
  code: Extract<ToolSearchErrorCode, `APPROVAL_${string}`>,
  tool: string,
  covers: ApprovalCoverage,
): ToolSearchError {
  const [message, hint] = (covers === 'call' ? CALL : SESSION)[code];
  return new ToolSearchError(code, `${tool} ${message}`, { hint });
}

/** The error of a repeated call whose approval is gone: it was used by another repeat, or decided otherwise meanwhile. */
export function approvalGone(tool: string): ToolSearchError {
  return new ToolSearchError(
    'APPROVAL_REQUIRED',
    `The approval of this call of ${tool} was used by another repeat of it, or changed meanwhile; this one has not run.`,
    { hint: 'If you do need it once more, repeat the call: a second person is then asked anew.' },
  );
}
