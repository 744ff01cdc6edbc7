import type { AuditHead } from './audit-entry.js';

const KEPT = 1000;

/** The newest 1,000 heads of the audit trail that this process has seen, used to detect a rewritten trail. */
export class SeenHeads {
  readonly #hashes = new Map<number, string>();

  /** Keeps the first hash seen for a sequence number: a different one later means that the trail was rewritten. */
  add({ seq, hash }: Pick<AuditHead, 'seq' | 'hash'>): void {
    if (seq === 0 || this.#hashes.has(seq)) return;
    this.#hashes.set(seq, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > KEPT && oldest !== undefined) this.#hashes.delete(oldest);
  }

  all(): ReadonlyMap<number, string> {
    return new Map(this.#hashes);
  }
}
