import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { ControlChange } from './control-store.js';

/** One entry of the audit trail. It holds the hash of the entry before, which reveals changed and removed entries. */
export interface AuditEntry {
  /** From 1, without a gap. */
  readonly seq: number;
  /** The control revision after this entry. */
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly tenantId: string;
  readonly reason: string;
  /** The record before and after; null where there was none. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly idempotencyKey: string;
  readonly prevHash: string;
  /** SHA-256 (hex) of all other fields as JSON with sorted keys. */
  readonly hash: string;
}

/** The last entry of a chain, to which the next one is linked. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'revision' | 'hash'>;

/** The head of an empty trail. */
export const NO_AUDIT: AuditHead = { seq: 0, revision: 0, hash: '' };

/** Builds the next entry of the chain. The revision rises by one if the change writes or removes a record. */
export function nextEntry(
  head: AuditHead,
  change: ControlChange,
  before: JsonObject | null,
  after: JsonObject | null,
): AuditEntry {
  const { at, actor, action, subject, tenantId, reason, idempotencyKey } = change;
  const revision = head.revision + (change.put || change.remove ? 1 : 0);
  const fields = { at, actor, action, subject, tenantId, reason, before, after, idempotencyKey };
  const entry = { seq: head.seq + 1, revision, ...fields, prevHash: head.hash };
  return { ...entry, hash: stableHash(entry) };
}

/** The first entry at which a chain is broken. */
export interface BrokenChain {
  readonly seq: number;
  readonly reason: string;
}

/** Checks entries that should follow `head`, in order. Returns the first fault, or undefined. */
export function brokenLink(head: AuditHead, entries: readonly AuditEntry[]): BrokenChain | undefined {
  let last = head;
  for (const entry of entries) {
    const { hash, ...fields } = entry;
    if (entry.seq !== last.seq + 1) return { seq: last.seq + 1, reason: 'the entry is missing' };
    if (entry.prevHash !== last.hash) return { seq: entry.seq, reason: 'the entry before it is another one' };
    if (stableHash(fields) !== hash) return { seq: entry.seq, reason: 'the entry was changed' };
    if (entry.revision !== last.revision && entry.revision !== last.revision + 1) {
      return { seq: entry.seq, reason: 'a revision was left out' };
    }
    last = entry;
  }
  return undefined;
}
