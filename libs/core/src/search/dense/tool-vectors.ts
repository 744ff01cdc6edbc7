import { addTo } from '../../collections/records.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { withDeadline } from '../../async/deadline.js';
import type { Embedder } from '../embedder.js';
import type { SearchCache } from '../search-cache.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import { checkedVectors } from './query-vectors.js';
import { toolSentence } from './tool-sentence.js';
import { archiveVectors, unarchiveVectors, VectorTable } from './vector-table.js';

const SLICE_MS = 8;
/** Texts per call of the embedder; servers commonly accept 32. */
const BATCH = 32;
const BATCH_DEADLINE_MS = 30_000;
const CACHE_DEADLINE_MS = 30_000;
/** After this many failed batches in a row the embedder is considered down. */
const MAX_FAULTS = 3;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const SAVED_EVERY = 10_000;
// Vectors of tools that are not in the catalog (any more, or yet) are kept until they outnumber the others.
const MAX_GROWTH = 2;
const MIN_KEPT = 10_000;
/** One cache entry for all catalogs: at boot the tools are not known yet. */
const CACHE_ID = 'tools';

/** The vectors of one snapshot's tools, with the row of each dense id. */
export interface SnapshotVectors {
  readonly table: VectorTable;
  readonly rowOf: (id: number) => number;
}

export interface ToolVectorsListener {
  /** Called when every tool of the newest snapshot has a vector; `embedded` of them are new. */
  ready(progress: { readonly tools: number; readonly embedded: number; readonly ms: number }): void;
  degraded(fault: { readonly error: unknown; readonly retryInMs: number }): void;
}

/**
 * The vectors of all tools, kept by definition hash across snapshots and, with a cache, across restarts. A background
 * task embeds them in batches, for the newest shared snapshot and for those that extend it. Failed batches are retried
 * without limit, with a growing wait and in smaller batches, so that one bad text does not cost other tools their
 * vectors.
 */
export class ToolVectors {
  readonly #snapshots = new WeakMap<CatalogSnapshot, SnapshotVectors>();
  readonly #added = new WeakSet<CatalogSnapshot>();
  readonly #closed = new AbortController();
  readonly #kind: string;
  #table: VectorTable;
  #newest: CatalogSnapshot | undefined;
  /** Snapshots whose own tools wait for vectors. Weak: the tools of a tenant that has left are not embedded. */
  #waiting: WeakRef<CatalogSnapshot>[] = [];
  #working: Promise<void> | undefined;
  #isLoaded = false;
  #isResting = false;
  #wake: () => void = () => undefined;
  #loaded = 0;
  #unsaved = 0;
  #batch = BATCH;

  constructor(
    private readonly embedder: Embedder,
    private readonly listener: ToolVectorsListener,
    private readonly cache?: SearchCache,
  ) {
    this.#kind = `vectors:${embedder.id}`;
    this.#table = new VectorTable(embedder.dimensions);
  }

  of(snapshot: CatalogSnapshot): SnapshotVectors | undefined {
    return this.#snapshots.get(snapshot);
  }

  /** Adds a snapshot and waits for its vectors, at most `patienceMs`. Never rejects. */
  async add(snapshot: CatalogSnapshot, patienceMs: number): Promise<void> {
    if (this.#closed.signal.aborted || this.#added.has(snapshot)) return;
    this.#added.add(snapshot);
    if (!snapshot.below) this.#newest = snapshot;
    await this.#place(snapshot, new TimeSlicer(SLICE_MS));
    this.#waiting.push(new WeakRef(snapshot));
    this.#working ??= this.#work();
    if (this.#isResting) return;
    await withDeadline(patienceMs, () => this.#working, this.#closed.signal).catch(() => undefined);
  }

  close(): void {
    this.#closed.abort();
    this.#wake();
  }

  #room(snapshot: CatalogSnapshot): number {
    return Math.max(MIN_KEPT, MAX_GROWTH * snapshot.size, this.#loaded);
  }

  async #place(snapshot: CatalogSnapshot, slices: TimeSlicer): Promise<void> {
    const { own, below } = snapshot;
    const shared = below ?? snapshot;
    if (this.#table.size > this.#room(shared)) {
      this.#table = await this.#compacted(shared, slices);
      if (below) await this.#place(below, slices);
    }
    // A snapshot may be added while the shared one below it is still being placed.
    if (below && !this.#snapshots.has(below)) await this.#place(below, slices);
    const known = below && this.#snapshots.get(below);
    const { table } = known ?? { table: this.#table };
    const rows = new Uint32Array(own.length);
    for (const [index, tool] of own.entries()) {
      rows[index] = table.rowOf(tool.hash);
      if (slices.due) await slices.pause();
    }
    const first = below?.size ?? 0;
    const rowOf = (id: number) => (known && id < first ? known.rowOf(id) : (rows[id - first] ?? 0));
    this.#snapshots.set(snapshot, { table, rowOf });
  }

  async #compacted(shared: CatalogSnapshot, slices: TimeSlicer): Promise<VectorTable> {
    const table = new VectorTable(this.embedder.dimensions);
    for (const { hash } of shared.own) {
      const row = this.#table.find(hash);
      const next = table.rowOf(hash);
      if (row !== undefined && this.#table.has(row)) table.putBytes(next, this.#table.bytesOf(row));
      if (slices.due) await slices.pause();
    }
    return table;
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // `add` stores this promise before the work can end.
    const started = performance.now();
    let [embedded, retryMs] = [0, MIN_RETRY_MS];
    try {
      while (!this.#closed.signal.aborted) {
        const snapshot = this.#nextWaiting();
        if (!snapshot) return;
        await this.#load();
        const pass = await this.#pass(snapshot);
        embedded += pass.embedded;
        // A save writes all vectors, which is too much for the few of one tenant.
        if (this.#unsaved > 0 && snapshot === this.#newest) await this.#save(snapshot);
        if (pass.error === undefined && this.#waiting.length > 0) continue;
        if (pass.error === undefined) {
          const ms = performance.now() - started;
          return this.listener.ready({ tools: snapshot.size, embedded, ms });
        }
        if (this.#closed.signal.aborted) return;
        this.#waiting.push(new WeakRef(snapshot));
        retryMs = pass.embedded > 0 ? MIN_RETRY_MS : retryMs;
        this.listener.degraded({ error: pass.error, retryInMs: retryMs });
        await this.#rest(retryMs);
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
      }
    } finally {
      // In the same step in which nothing was left to do: a snapshot that is added next begins new work.
      this.#working = undefined;
    }
  }

  #nextWaiting(): CatalogSnapshot | undefined {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const snapshot = next.deref();
      if (snapshot && this.#isWanted(snapshot)) return snapshot;
    }
    return undefined;
  }

  #isWanted(snapshot: CatalogSnapshot): boolean {
    return (snapshot.below ?? snapshot) === this.#newest;
  }

  /** Embeds the missing tools, until all are done, the embedder seems to be down or a newer snapshot arrives. */
  async #pass(snapshot: CatalogSnapshot): Promise<{ embedded: number; error?: unknown }> {
    let [embedded, faults] = [0, 0];
    let error: unknown;
    const { table } = this.#snapshots.get(snapshot) ?? { table: this.#table };
    for await (const batch of this.#missing(snapshot.own, table)) {
      try {
        await this.#embed(batch, table);
        embedded += batch.size;
        faults = 0;
        this.#batch = Math.min(BATCH, this.#batch * 2);
      } catch (fault) {
        error = fault;
        faults += 1;
      }
      if (this.#unsaved >= SAVED_EVERY) await this.#save(snapshot);
      if (faults >= MAX_FAULTS || this.#closed.signal.aborted) break;
      if (!this.#isWanted(snapshot)) break;
    }
    if (error !== undefined) this.#batch = Math.max(1, this.#batch >> 1);
    return error === undefined ? { embedded } : { embedded, error };
  }

  /** Batches of texts without a vector, with the definition hashes of each: many tenants may have the same tool. */
  async *#missing(
    tools: readonly ToolDefinition[],
    table: VectorTable,
  ): AsyncGenerator<ReadonlyMap<string, readonly string[]>> {
    const slices = new TimeSlicer(SLICE_MS);
    const seen = new Set<string>();
    let batch = new Map<string, string[]>();
    for (const tool of tools) {
      if (slices.due) await slices.pause();
      const row = table.find(tool.hash);
      if (row === undefined || table.has(row) || seen.has(tool.hash)) continue;
      seen.add(tool.hash);
      addTo(batch, toolSentence(tool), tool.hash);
      if (batch.size < this.#batch) continue;
      yield batch;
      batch = new Map();
    }
    if (batch.size > 0) yield batch;
  }

  async #embed(batch: ReadonlyMap<string, readonly string[]>, table: VectorTable): Promise<void> {
    const texts = [...batch.keys()];
    const ask = (signal: AbortSignal) => this.embedder.embed(texts, 'tool', signal);
    const answer = await withDeadline(BATCH_DEADLINE_MS, ask, this.#closed.signal);
    const vectors = checkedVectors(answer, texts.length, this.embedder.dimensions);
    for (const [position, hashes] of [...batch.values()].entries()) {
      for (const hash of hashes) table.put(table.rowOf(hash), vectors[position] ?? []);
      this.#unsaved += hashes.length;
    }
  }

  async #load(): Promise<void> {
    const { cache } = this;
    if (!cache || this.#isLoaded) return;
    this.#isLoaded = true;
    try {
      const read = () => cache.read(this.#kind, CACHE_ID);
      const archive = await withDeadline(CACHE_DEADLINE_MS, read, this.#closed.signal);
      if (archive) this.#loaded = await unarchiveVectors(archive, this.#table, new TimeSlicer(SLICE_MS));
    } catch {
      // An unreadable cache counts as empty.
    }
  }

  async #save(snapshot: CatalogSnapshot): Promise<void> {
    this.#unsaved = 0;
    if (!this.cache) return;
    const room = this.#room(snapshot);
    const hashes = new Set(snapshot.tools.map(({ hash }) => hash));
    for (const hash of this.#table.keys()) {
      if (hashes.size >= room) break;
      hashes.add(hash);
    }
    try {
      await this.cache.write(this.#kind, CACHE_ID, await archiveVectors(this.#table, hashes, new TimeSlicer(SLICE_MS)));
    } catch {
      // Vectors that were not saved are embedded again after the next start.
    }
  }

  async #rest(ms: number): Promise<void> {
    this.#isResting = true;
    await new Promise<void>((resolve) => {
      // This timer alone must not keep the process alive.
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#isResting = false;
  }
}
