import {
  addedCosts,
  ExampleQueryStore,
  NO_COSTS,
  type QueryClaim,
  type QueryClaimOutcome,
  type QueryResult,
  roomFor,
  type WritingCosts,
  type WrittenQueries,
} from './example-query-store.js';

interface Entry {
  readonly owner: string;
  readonly tool: string;
  readonly failures: number;
  readonly written?: WrittenQueries;
  readonly claim?: { readonly by: string; readonly until: number; readonly reserved: WritingCosts };
}

/** Keeps written queries in the memory of one process: they are lost, and paid for again, when it ends. */
export class MemoryExampleQueryStore extends ExampleQueryStore {
  readonly #entries = new Map<string, Entry>();
  #costs = NO_COSTS;

  override async find(hashes: readonly string[]): Promise<readonly WrittenQueries[]> {
    return hashes.flatMap((hash) => this.#entries.get(hash)?.written ?? []);
  }

  override async claim(claim: QueryClaim): Promise<QueryClaimOutcome> {
    const { claimant, subjects, now, leaseMs, each, limits, maxFailures } = claim;
    let spent = this.#costs;
    for (const { claim: other } of this.#entries.values()) {
      if (other && other.until > now) spent = addedCosts(spent, other.reserved);
    }
    let room = roomFor(limits, spent, each);
    const claimed: string[] = [];
    const busy: string[] = [];
    const settled: string[] = [];
    let isSpent = false;
    for (const { hash, owner, tool } of subjects) {
      const known = this.#entries.get(hash);
      if (known?.written || (known?.failures ?? 0) >= maxFailures) settled.push(hash);
      else if (known?.claim && known.claim.until > now) busy.push(hash);
      else if (room < 1) isSpent = true;
      else {
        room -= 1;
        claimed.push(hash);
        const until = now + leaseMs;
        const failures = known?.failures ?? 0;
        this.#entries.set(hash, { owner, tool, failures, claim: { by: claimant, until, reserved: each } });
      }
    }
    return { claimed, busy, settled, isSpent };
  }

  override async finish(result: QueryResult): Promise<readonly string[]> {
    const { claimant, written, failed, released, costs, keep } = result;
    this.#costs = addedCosts(this.#costs, costs);
    const claimed = (hash: string) => {
      const entry = this.#entries.get(hash);
      return entry?.claim?.by === claimant ? entry : undefined;
    };
    for (const hash of [...failed, ...released]) {
      const entry = claimed(hash);
      if (!entry) continue;
      const { owner, tool, failures } = entry;
      this.#entries.set(hash, { owner, tool, failures: failures + (failed.includes(hash) ? 1 : 0) });
    }
    const stored = written.filter(({ hash }) => claimed(hash));
    for (const each of stored) {
      const { hash, owner, tool } = each;
      this.#entries.set(hash, { owner, tool, failures: 0, written: each });
      this.#trim(owner, tool, keep);
    }
    return stored.map(({ hash }) => hash);
  }

  override async forget(filter: { hashes: readonly string[] } | { owner: string }): Promise<number> {
    const hashes =
      'hashes' in filter
        ? filter.hashes
        : [...this.#entries].flatMap(([hash, { owner }]) => (owner === filter.owner ? [hash] : []));
    return hashes.filter((hash) => this.#entries.delete(hash)).length;
  }

  override async costs(): Promise<WritingCosts> {
    return this.#costs;
  }

  #trim(owner: string, tool: string, keep: number): void {
    const same = [...this.#entries].filter(
      ([, entry]) => entry.written && entry.owner === owner && entry.tool === tool,
    );
    const newest = same.toSorted(([, a], [, b]) => (b.written?.writtenAt ?? 0) - (a.written?.writtenAt ?? 0));
    for (const [hash] of newest.slice(keep)) this.#entries.delete(hash);
  }
}
