import { createHash } from 'node:crypto';
import { searchHashOf } from '../../text/search-hash.js';
import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { withDeadline } from '../../../async/deadline.js';
import type { SearchCache } from '../../search-cache.js';
import { TimeSlicer } from '../../../async/time-slicer.js';
import { analysisVersion } from '../index/analyze-tool.js';
import { decodeSegment, encodeSegment, type StoredSegment } from './segment-codec.js';
import type { IndexState } from '../index/index-state.js';

const KIND = 'memory-index';
/** How long the first catalog waits for the stored index. One that arrives later still serves the next catalogs. */
const MAX_WAIT_MS = 2_000;
const MAX_READ_MS = 10_000;
const MAX_WRITE_MS = 60_000;
const MAX_HELD_MS = 300_000;
const MAX_CLOSE_MS = 2_000;
const SLICE_MS = 4;

/**
 * Keeps the large part of an index across restarts. Sources arrive one after the other, so the index that was read is
 * held until most of its tools have arrived. A failing cache counts as empty.
 */
export class IndexCache {
  #reading: Promise<void> | undefined;
  #loaded: StoredSegment | undefined;
  #pending: IndexState | undefined;
  #writing: Promise<void> | undefined;
  readonly #closed = new AbortController();

  /** @param onFault called with the reason when the cache cannot be read or written; errors it throws are ignored */
  constructor(
    private readonly cache: SearchCache,
    private readonly onFault: (fault: unknown) => void = () => undefined,
  ) {}

  /** The stored index of this or a similar catalog until it is used. Reads once; waits once, two seconds at most. */
  async reserve(snapshot: CatalogSnapshot): Promise<StoredSegment | undefined> {
    if (!this.#reading) {
      this.#reading = this.#read(snapshot);
      await this.#atMost(MAX_WAIT_MS, this.#reading);
    }
    return this.#loaded;
  }

  /** Releases the stored index: it was used, or cannot save work any more. */
  release(): void {
    this.#loaded = undefined;
  }

  /** Stores a state of one complete base in the background; of states in quick succession only the last one. */
  write(state: IndexState): void {
    if (this.#closed.signal.aborted) return;
    if (this.#loaded) {
      // A catalog that is still incomplete must not replace the complete one.
      if (2 * state.base.count < this.#loaded.segment.count) return;
      const isUnchanged = this.#loaded.segment === state.base;
      this.release();
      if (isUnchanged) return;
    }
    if (!state.isDense || state.delta.count > 0 || state.slots === 0) return;
    this.#pending = state;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Waits for pending writes, two seconds at most; then aborts them. */
  async close(): Promise<void> {
    if (this.#writing) await this.#atMost(MAX_CLOSE_MS, this.#writing);
    this.#closed.abort(new Error('the index has been closed'));
  }

  async #atMost(ms: number, work: Promise<void>): Promise<void> {
    await withDeadline(ms, () => work, this.#closed.signal).catch(() => undefined);
  }

  async #read(snapshot: CatalogSnapshot): Promise<void> {
    const slices = new TimeSlicer(SLICE_MS, this.#closed.signal);
    try {
      const id = await idOf(snapshot, slices);
      const bytes = await withDeadline(MAX_READ_MS, () => this.cache.read(KIND, id), this.#closed.signal);
      this.#loaded = bytes && (await decodeSegment(bytes, slices));
      if (this.#loaded) setTimeout(() => this.release(), MAX_HELD_MS).unref();
    } catch (fault) {
      this.#report(fault);
    }
  }

  async #writeAll(): Promise<void> {
    for (let state = this.#pending; state && !this.#closed.signal.aborted; state = this.#pending) {
      this.#pending = undefined;
      try {
        const { snapshot, base, lexicon } = state;
        const slices = new TimeSlicer(SLICE_MS, this.#closed.signal);
        // Let the caller continue first.
        await slices.pause();
        const hashes = snapshot.tools.map(searchHashOf);
        const bytes = await encodeSegment({ segment: base, lexicon, hashes }, slices);
        await this.#store(await idOf(snapshot, slices), bytes);
      } catch (fault) {
        this.#report(fault);
      }
    }
    this.#writing = undefined;
  }

  /** Bounded in time: a write that never ends must not block later states. */
  async #store(id: string, bytes: Uint8Array): Promise<void> {
    await withDeadline(MAX_WRITE_MS, () => this.cache.write(KIND, id, bytes), this.#closed.signal);
  }

  #report(fault: unknown): void {
    if (this.#closed.signal.aborted) return;
    try {
      this.onFault(fault);
    } catch {
      // Nothing may depend on the cache, including the handler of its faults.
    }
  }
}

/** A digest of the definitions in catalog order, and of the analysis version. */
async function idOf({ tools }: CatalogSnapshot, slices: TimeSlicer): Promise<string> {
  const digest = createHash('sha256').update(String(analysisVersion()));
  for (const [id, tool] of tools.entries()) {
    digest.update('\n').update(searchHashOf(tool));
    if (id % 256 === 0 && slices.due) await slices.pause();
  }
  return digest.digest('hex');
}
