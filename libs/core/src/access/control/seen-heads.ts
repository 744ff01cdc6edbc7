import type { AuditHead } from './audit-entry.js';

const KEPT = 1000;

/** The newest ends of the audit trail that a process has seen, by which it notices a trail that was written anew. */
export class SeenHeads {
  readonly #hashes = new Map<number, string>();

  /** Keeps what was seen first under a sequence number: what differs later was written anew. */
  add({ seq, hash }: Pick<AuditHead, 'seq' | 'hash'>): void {
    if (seq === 0 || this.#hashes.has(seq)) return;
    this.#hashes.set(seq, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > KEPT && oldest !== undefined) this.#hashes.delete(oldest);
  }

  /** Hashes by sequence number, as of now. */
  all(): ReadonlyMap<number, string> {
    return new Map(this.#hashes);
  }
}
