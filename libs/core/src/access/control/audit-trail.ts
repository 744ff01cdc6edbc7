import { nextTurn } from '../../async/time-slicer.js';
import { safeText } from '../../json/safe-text.js';
import { type AuditEntry, type AuditHead, brokenLink, type BrokenChain, NO_AUDIT } from './audit-entry.js';
import type { ControlPlane } from './control-plane.js';
import type { AuditFilter, ControlChange, ControlRecord } from './control-store.js';
import { RecordCheck, type RecordFault } from './record-check.js';

/** The result of a check of the audit trail. */
export interface AuditVerdict {
  /** The chain is whole, and all records match it. */
  readonly valid: boolean;
  readonly entries: number;
  /** The control revision of the last entry. */
  readonly revision: number;
  /** The first broken entry; absent when the chain is whole. */
  readonly broken?: BrokenChain;
  /** Kill switches, policies, verdicts and approvals that differ from the trail, at most 100; absent when all match. */
  readonly records?: readonly RecordFault[];
}

/** An entry of the trail that was stored elsewhere, for example the last one of an export. */
export type KnownHead = Pick<AuditHead, 'seq' | 'hash'>;

/** An audit entry for an event that changes no record. `action` is `noun.past_verb`. */
export type AuditNote = Pick<ControlChange, 'action' | 'actor' | 'subject' | 'reason' | 'tenantId'>;

// Small batches: a synchronous store such as SQLite would otherwise block the event loop for the whole read.
const BATCH = 200;

/** The audit trail: who decided what, when and why. A hash chain reveals later changes. */
export class AuditTrail {
  #verifying: Promise<AuditVerdict> | undefined;

  constructor(
    private readonly plane: ControlPlane,
    private readonly now: () => number = () => plane.now(),
  ) {}

  /** Matching entries, newest first; `after` is a sequence number. @throws ToolSearchError `STORE_UNAVAILABLE` */
  list(filter: AuditFilter, page: { readonly after?: number; readonly limit: number }): Promise<readonly AuditEntry[]> {
    return this.plane.guarded(() => this.plane.store.newestAudit(filter, page));
  }

  /** All matching entries, oldest first, read in batches of 200. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async *entries(filter: AuditFilter = {}): AsyncIterableIterator<AuditEntry> {
    for (let after = 0; ;) {
      const batch = await this.plane.guarded(() => this.plane.store.audit(filter, { after, limit: BATCH }));
      yield* batch;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      after = last.seq;
      await nextTurn();
    }
  }

  /**
   * Reads the whole chain and checks every link. Also checks that the chain contains the newest 1,000 heads this
   * process has seen, the separately stored head and the revision this process has applied, and that the live records
   * match it. Concurrent callers share one check.
   *
   * @param known an entry that the trail must contain; only this reveals a trail that was replaced while no process ran
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async verify(known?: KnownHead): Promise<AuditVerdict> {
    this.#verifying ??= this.#verify().finally(() => (this.#verifying = undefined));
    const verdict = await this.#verifying;
    if (!known || verdict.broken) return verdict;
    const [entry] = await this.plane.guarded(() => this.plane.store.audit({}, { after: known.seq - 1, limit: 1 }));
    if (entry?.seq === known.seq && entry.hash === known.hash) return verdict;
    const reason = entry ? 'it is not the entry that was given' : 'the trail does not reach the entry that was given';
    return { ...verdict, valid: false, broken: { seq: known.seq, reason } };
  }

  async #verify(): Promise<AuditVerdict> {
    const { store, seen } = this.plane;
    const decidedBy = this.plane.snapshot()?.revision ?? 0;
    const [ends, kept, check] = [seen.all(), await this.plane.guarded(() => store.head()), await this.#recordCheck()];
    let last: AuditHead = NO_AUDIT;
    const at = ({ seq, revision }: AuditHead) => ({ entries: seq, revision });
    for await (const entry of this.entries()) {
      const broken = brokenLink(last, [entry]) ?? forged(entry, ends, kept);
      if (broken) return { valid: false, ...at(last), broken };
      check.add(entry);
      last = entry;
    }
    if (last.revision < decidedBy || last.seq < Math.max(kept.seq, ...ends.keys())) {
      const broken = { seq: last.seq + 1, reason: 'entries at the end are missing' };
      return { valid: false, ...at(last), broken };
    }
    // Read again: the trail may have grown in the meantime.
    const { seq } = await this.plane.guarded(() => store.head());
    if (seq < last.seq) {
      const broken = { seq: seq + 1, reason: 'the head kept beside the trail does not know the entry' };
      return { valid: false, ...at(last), broken };
    }
    seen.add(last);
    const records = check.faults();
    return { valid: records.length === 0, ...at(last), ...(records.length > 0 && { records }) };
  }

  async #recordCheck(): Promise<RecordCheck> {
    const { store, kinds } = this.plane;
    const state = await this.plane.guarded(() => this.plane.read());
    const records: ControlRecord[] = [...(state?.records ?? [])];
    for (const { kind } of kinds.asked) {
      for (let after = ''; ;) {
        const page = await this.plane.guarded(() => store.list(kind, { after, limit: BATCH }));
        records.push(...page);
        if (page.length < BATCH) break;
        after = page.at(-1)?.key ?? '';
        await nextTurn();
      }
    }
    return new RecordCheck(kinds, records, state?.revision ?? 0, this.plane.now());
  }

  /**
   * Writes an entry for an event outside the control store and changes no record. The event has already happened, so
   * unprintable characters are replaced, not refused.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async note({ action, actor, subject, reason, tenantId }: AuditNote): Promise<void> {
    const who = { actor: safeText(actor, 513), tenantId: safeText(tenantId, 256) };
    const fields = { action, ...who, subject: safeText(subject, 512), reason: safeText(reason, 1000) };
    await this.plane.change({ ...fields, idempotencyKey: '', at: this.now() });
  }
}

// A rewritten tail is consistent in itself; only hashes that were stored elsewhere reveal it.
function forged(
  { seq, hash }: AuditEntry,
  ends: ReadonlyMap<number, string>,
  kept: AuditHead,
): BrokenChain | undefined {
  const seen = ends.get(seq);
  if (seen !== undefined && seen !== hash) return { seq, reason: 'it is not the entry that this process has seen' };
  if (seq === kept.seq && hash !== kept.hash)
    return { seq, reason: 'it is not the entry that the head beside it names' };
  return undefined;
}
