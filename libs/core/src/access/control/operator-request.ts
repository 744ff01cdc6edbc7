import { z } from 'zod';
import { isSafeText } from '../../json/safe-text.js';
import { invalidRequest } from './invalid-request.js';

const REVISION = 'expectedRevision must be a whole number from 0';

const line = (max: number, fault: string) => z.custom<string>((given) => isSafeText(given, max), fault);

const request = z.object({
  /** The operator's name in the application; 1 to 513 characters (a user, an @ and a tenant). */
  actor: line(513, 'actor must be 1 to 513 visible characters'),
  /** The reason, for readers of the audit trail; 1 to 1,000 characters. */
  reason: line(1000, 'reason must be 1 to 1,000 visible characters in one line: say why, somebody will want to know'),
  /** The revision that the operator saw; 0 = there was no record. Absent: the revision is not checked. */
  expectedRevision: z.int(REVISION).min(0, REVISION).optional(),
  /** A repeated request with the same key changes nothing and returns the first one's result; 1 to 200 characters. */
  idempotencyKey: z
    .custom<string>(
      (given) => given === '' || isSafeText(given, 200),
      'the idempotency key must be 1 to 200 visible characters',
    )
    .optional(),
});

/** Common fields of every operator's decision. */
export interface OperatorRequest extends Readonly<z.output<typeof request>> {}

/**
 * Checks the common fields of a decision, and returns them alone.
 *
 * @throws ToolSearchError `INVALID_REQUEST`
 */
export function operatorRequest(given: OperatorRequest) {
  const { success, data, error } = request.safeParse(given);
  if (!success) throw invalidRequest('The request', `${error.issues[0]?.message}.`);
  const { actor, reason, expectedRevision, idempotencyKey = '' } = data;
  return {
    actor: actor.trim(),
    reason: reason.trim(),
    idempotencyKey,
    ...(expectedRevision !== undefined && { expectedRevision }),
  };
}
