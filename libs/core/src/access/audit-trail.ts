import { setImmediate } from 'node:timers/promises';
import { safeText } from '../tool/safe-text.js';
import { type AuditEntry, type AuditHead, brokenLink, type BrokenChain, NO_AUDIT } from './control/audit-entry.js';
import type { ControlPlane } from './control/control-plane.js';
import type { AuditFilter, ControlChange } from './control/control-store.js';

/** Whether the audit trail is whole. */
export interface AuditVerdict {
  readonly entries: number;
  /** The control revision of the last entry. */
  readonly revision: number;
  /** The first place where it is not; absent when it is whole. */
  readonly broken?: BrokenChain;
}

/** What is noted of something that changes no record: `noun.past_verb`, who, what about, why, and whom it concerns. */
export type AuditNote = Pick<ControlChange, 'action' | 'actor' | 'subject' | 'reason' | 'tenantId'>;

// A store that answers at once, as SQLite does, would keep the process from everything else for as long as this takes.
const BATCH = 200;

/** Who decided what, when and why: a chain that shows every later change of it. */
export class AuditTrail {
  /** The last entry that this process knows of: a note moves no revision. */
  #seen = 0;
  #verifying: Promise<AuditVerdict> | undefined;

  constructor(
    private readonly plane: ControlPlane,
    private readonly now: () => number = Date.now,
  ) {}

  /** Entries that match, newest first; `after` is the sequence number of the last one seen. @throws ToolSearchError `STORE_UNAVAILABLE` */
  list(filter: AuditFilter, page: { readonly after?: number; readonly limit: number }): Promise<readonly AuditEntry[]> {
    return this.plane.guarded(() => this.plane.store.newestAudit(filter, page));
  }

  /** All entries that match, oldest first, read in batches. */
  async *entries(filter: AuditFilter = {}): AsyncIterableIterator<AuditEntry> {
    for (let after = 0; ;) {
      const batch = await this.plane.guarded(() => this.plane.store.audit(filter, { after, limit: BATCH }));
      yield* batch;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      after = last.seq;
      await setImmediate();
    }
  }

  /**
   * Reads the whole chain and checks every link, and that it reaches the revision by which this process decides and the last
   * entry it has seen. Whoever asks while it is read gets the same answer.
   */
  verify(): Promise<AuditVerdict> {
    this.#verifying ??= this.#verify().finally(() => (this.#verifying = undefined));
    return this.#verifying;
  }

  async #verify(): Promise<AuditVerdict> {
    const seen = this.#seen;
    const known = this.plane.snapshot()?.revision ?? 0;
    let head: AuditHead = NO_AUDIT;
    for await (const entry of this.entries()) {
      const broken = brokenLink(head, [entry]);
      if (broken) return { entries: head.seq, revision: head.revision, broken };
      head = entry;
    }
    const whole = { entries: head.seq, revision: head.revision };
    this.#seen = Math.max(this.#seen, head.seq);
    if (head.revision >= known && head.seq >= seen) return whole;
    return { ...whole, broken: { seq: head.seq + 1, reason: 'entries at the end are missing' } };
  }

  /**
   * Notes something that is no decision of the control store; nothing else changes. It has happened, so what cannot be shown
   * in a log is replaced and not refused.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async note({ action, actor, subject, reason, tenantId }: AuditNote): Promise<void> {
    const who = { actor: safeText(actor, 513), tenantId: safeText(tenantId, 256) };
    const said = { action, ...who, subject: safeText(subject, 512), reason: safeText(reason, 1000) };
    const outcome = await this.plane.change({ ...said, idempotencyKey: '', at: this.now() });
    if (outcome.outcome !== 'conflict') this.#seen = Math.max(this.#seen, outcome.entry.seq);
  }
}
