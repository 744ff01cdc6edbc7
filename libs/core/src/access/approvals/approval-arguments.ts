import type { ControlPlane } from '../control/control-plane.js';
import { textIn } from '../control/record-fields.js';
import { approvalKind } from './approval-kind.js';
import type { Approval } from './approval.js';
import { eachRecord } from './each-record.js';

const KIND = 'approval_arguments';
/** There is one for each approval, and those are limited. */
const LIMITS = { perTenant: Number.MAX_SAFE_INTEGER, perUser: Number.MAX_SAFE_INTEGER };

/** One request for an approval. An equal call asks again under the same id once an approval was used. */
export type AskedOnce = Pick<Approval, 'id' | 'askedAt'>;

/** Whose arguments they are, and until when they are kept. */
type Whose = Pick<Approval, 'id' | 'askedAt' | 'tenantId' | 'userId' | 'expiresAt'>;

/**
 * The arguments of calls that wait for an approval of their own, as operators read them. They are kept apart from the
 * approvals, because the audit trail keeps those: they go when the approval is used or expires, or when the calls of its
 * user are erased.
 */
export class ApprovalArguments {
  constructor(
    private readonly plane: ControlPlane,
    private readonly now: () => number,
  ) {}

  /** @param shown redacted and bounded @throws ToolSearchError `STORE_UNAVAILABLE` */
  async keep({ id, askedAt, tenantId, userId, expiresAt }: Whose, shown: string): Promise<void> {
    const value = { userId, approval: id, arguments: shown };
    const record = { kind: KIND, key: keyOf({ id, askedAt }), tenantId, expiresAt, value };
    await this.plane.guarded(() => this.plane.store.ask(record, this.now(), LIMITS));
  }

  /** Undefined if there are none, or if they were erased. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async of(asked: AskedOnce): Promise<string | undefined> {
    const known = await this.plane.guarded(() => this.plane.store.find(KIND, keyOf(asked)));
    return known && known.expiresAt > this.now() ? textIn(known.value, 'arguments') : undefined;
  }

  /** Keeps them for another time. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async keepUntil(approval: Whose): Promise<void> {
    const shown = await this.of(approval);
    if (shown !== undefined && (await this.remove(approval))) await this.keep(approval, shown);
  }

  /** @throws ToolSearchError `STORE_UNAVAILABLE` */
  remove(asked: AskedOnce): Promise<boolean> {
    return this.#removeAt(keyOf(asked));
  }

  /**
   * Removes those of a tenant, or of one of its users, and the requests that nobody has decided: nobody could read what
   * they are about. Returns how many arguments there were.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async erase({ tenantId, userId }: { readonly tenantId: string; readonly userId?: string }): Promise<number> {
    let removed = 0;
    for await (const { key, value } of eachRecord(this.plane, KIND, tenantId)) {
      if (userId !== undefined && value['userId'] !== userId) continue;
      const approval = textIn(value, 'approval');
      await this.plane.guarded(() => this.plane.store.claim(approvalKind.kind, approval, 0, this.now()));
      if (await this.#removeAt(key)) removed += 1;
    }
    return removed;
  }

  #removeAt(key: string): Promise<boolean> {
    return this.plane.guarded(() => this.plane.store.claim(KIND, key, 0, this.now()));
  }
}

function keyOf({ id, askedAt }: AskedOnce): string {
  return `${id} ${askedAt}`;
}
