import type { ControlPlane, ToolContext } from '@tool-search/core';
import { randomUUID } from 'node:crypto';

/** Keeps which confirmations have been used, in the control store, so that each counts once on all instances. */
export class UsedConfirmations {
  constructor(
    private readonly plane: ControlPlane,
    private readonly forMs: number,
  ) {}

  /**
   * Whether this is the first use.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async claim(nonce: string, { tenantId, userId }: ToolContext): Promise<boolean> {
    const claim = randomUUID();
    const now = this.plane.now();
    // It is kept twice as long as it could be presented, because the clocks of instances differ.
    const record = { kind: 'confirmation', key: nonce, tenantId, expiresAt: now + 2 * this.forMs } as const;
    const stored = await this.plane.guarded(() =>
      this.plane.store.ask({ ...record, value: { claim, ...(userId !== undefined && { userId }) } }, now, MAX_USED),
    );
    return stored?.value['claim'] === claim;
  }
}

/** Unexpired confirmations; further ones are refused. One user must not take the room of a whole tenant. */
const MAX_USED = { perTenant: 10_000, perUser: 1000 };
