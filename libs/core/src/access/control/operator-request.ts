import { isSafeText } from '../../json/safe-text.js';
import { invalidRequest } from './invalid-request.js';

/** Common fields of every operator's decision. */
export interface OperatorRequest {
  /** The operator's name in the application; 1 to 513 characters (a user, an @ and a tenant). */
  readonly actor: string;
  /** The reason, for readers of the audit trail; 1 to 1,000 characters. */
  readonly reason: string;
  /** The revision that the operator saw; 0 = there was no record. Absent: the revision is not checked. */
  readonly expectedRevision?: number;
  /** A repeated request with the same key changes nothing and returns the first one's result; 1 to 200 characters. */
  readonly idempotencyKey?: string;
}

export function operatorRequest({ actor, reason, expectedRevision, idempotencyKey = '' }: OperatorRequest) {
  check(isSafeText(actor, 513), 'actor must be 1 to 513 visible characters');
  check(
    isSafeText(reason, 1000),
    'reason must be 1 to 1,000 visible characters in one line: say why, somebody will want to know',
  );
  check(
    idempotencyKey === '' || isSafeText(idempotencyKey, 200),
    'the idempotency key must be 1 to 200 visible characters',
  );
  check(
    expectedRevision === undefined || (Number.isSafeInteger(expectedRevision) && expectedRevision >= 0),
    'expectedRevision must be a whole number from 0',
  );
  return {
    actor: actor.trim(),
    reason: reason.trim(),
    idempotencyKey,
    ...(expectedRevision !== undefined && { expectedRevision }),
  };
}

function check(holds: boolean, expected: string): void {
  if (!holds) throw invalidRequest('The request', `${expected}.`);
}
