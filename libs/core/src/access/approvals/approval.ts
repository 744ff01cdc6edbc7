import { ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ControlRecord, NewControlRecord } from '../control/control-store.js';
import { fieldsOf } from '../control/record-fields.js';

/** A request to call one tool in one session or run, and its decision. It holds for one hash of the definition. */
export interface Approval {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly tenantId: string;
  /** User of the requesting context; `''` = the context named no user. */
  readonly userId: string;
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  readonly tool: string;
  readonly hash: string;
  /** The policy rule that requires the approval. */
  readonly rule: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** The operator who decided; `''` = undecided. */
  readonly actor: string;
  readonly reason: string;
  /** The control revision of the decision; 0 = undecided. */
  readonly revision: number;
}

export function approvalRecord(value: Omit<Approval, 'revision'>): NewControlRecord {
  const { id, tenantId, expiresAt } = value;
  return { kind: 'approval', key: id, tenantId, expiresAt, value };
}

const TEXTS = ['id', 'tenantId', 'userId', 'scopeId', 'tool', 'hash', 'rule', 'actor', 'reason'] as const;

export function approvalOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): Approval {
  const { status } = value;
  return {
    ...fieldsOf(value, TEXTS, ['askedAt', 'expiresAt']),
    scope: value['scope'] === 'session' ? 'session' : 'run',
    // Fails closed: any other value counts as refused.
    status: status === 'approved' || status === 'pending' ? status : 'refused',
    revision,
  };
}

export function approvalAnswer({ status, tool }: Approval): ToolSearchError | undefined {
  if (status === 'approved') return undefined;
  return approvalRefusal(status === 'refused' ? 'APPROVAL_REFUSED' : 'APPROVAL_PENDING', tool);
}

export function approvalRefusal(
  code: Extract<ToolSearchErrorCode, `APPROVAL_${string}`>,
  tool: string,
): ToolSearchError {
  const [message, hint] = {
    APPROVAL_REQUIRED: [
      `${tool} needs the approval of a second person, which has been asked for now.`,
      'Tell the user, go on with something else, and call it again later.',
    ],
    APPROVAL_PENDING: [
      `${tool} waits for the approval of a second person.`,
      'Go on with something else, and call it again later.',
    ],
    APPROVAL_REFUSED: [
      `A second person has refused ${tool} here.`,
      'Do not call it again; tell the user, or find another way.',
    ],
  }[code] as [string, string];
  return new ToolSearchError(code, message, { hint });
}
