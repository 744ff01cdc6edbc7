import { createHash } from 'node:crypto';
import type { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { Deadline } from '../../../async/deadline.js';
import { unlessAborted } from '../../../async/unless-aborted.js';
import type { SearchCache } from '../../search-cache.js';
import { Slices } from '../../../async/slices.js';
import { analysisVersion } from '../index/analyze-tool.js';
import { decodeSegment } from './decode-segment.js';
import { encodeSegment } from './encode-segment.js';
import type { IndexState } from '../index/index-state.js';
import type { StoredSegment } from './stored-segment.js';

const KIND = 'memory-index';
/** How long a catalog waits for what was kept; what comes later still serves the next ones. */
const MAX_WAIT_MS = 2_000;
const MAX_READ_MS = 10_000;
const MAX_WRITE_MS = 60_000;
const MAX_HELD_MS = 300_000;
const MAX_CLOSE_MS = 2_000;
const SLICE_MS = 4;

/**
 * Keeps the large part of an index over restarts. Sources arrive one after the other, so what was read is held until most of
 * its tools have come. A cache that fails is as good as an empty one.
 */
export class IndexCache {
  #reading: Promise<void> | undefined;
  #held: StoredSegment | undefined;
  #pending: IndexState | undefined;
  #writing: Promise<void> | undefined;
  readonly #closed = new AbortController();

  /** @param onFault told why a cache could not be read or written; whatever it throws is lost */
  constructor(
    private readonly cache: SearchCache,
    private readonly onFault: (fault: unknown) => void = () => undefined,
  ) {}

  /**
   * What an earlier process kept for this catalog, or for one like it, while it has not been used. Read only once, and waited
   * for only once: for two seconds.
   */
  async reserve(snapshot: CatalogSnapshot): Promise<StoredSegment | undefined> {
    if (!this.#reading) {
      this.#reading = this.#read(snapshot);
      await this.#atMost(MAX_WAIT_MS, this.#reading);
    }
    return this.#held;
  }

  /** Lets go of what was read: it has served, or can save nothing any more. */
  release(): void {
    this.#held = undefined;
  }

  /**
   * Keeps a state that is one whole base, in the background. Of states that come too fast the last is kept; a write has a
   * minute.
   */
  write(state: IndexState): void {
    if (this.#closed.signal.aborted) return;
    if (this.#held) {
      // A catalog that is still filling up must not take the place of the full one.
      if (2 * state.base.count < this.#held.segment.count) return;
      const isUnchanged = this.#held.segment === state.base;
      this.release();
      if (isUnchanged) return;
    }
    if (!state.isDense || state.delta.count > 0 || state.slots === 0) return;
    this.#pending = state;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Waits for what is being written, two seconds at most; what takes longer is given up. */
  async close(): Promise<void> {
    if (this.#writing) await this.#atMost(MAX_CLOSE_MS, this.#writing);
    this.#closed.abort(new Error('the index has been closed'));
  }

  async #atMost(ms: number, work: Promise<void>): Promise<void> {
    const deadline = new Deadline(ms, this.#closed.signal);
    await unlessAborted(() => work, deadline.signal).catch(() => undefined);
    deadline.clear();
  }

  async #read(snapshot: CatalogSnapshot): Promise<void> {
    const deadline = new Deadline(MAX_READ_MS, this.#closed.signal);
    const slices = new Slices(SLICE_MS, this.#closed.signal);
    try {
      const id = await idOf(snapshot, slices);
      const bytes = await unlessAborted(() => this.cache.read(KIND, id), deadline.signal);
      this.#held = bytes && (await decodeSegment(bytes, slices));
      if (this.#held) setTimeout(() => this.release(), MAX_HELD_MS).unref();
    } catch (fault) {
      this.#report(fault);
    } finally {
      deadline.clear();
    }
  }

  async #writeAll(): Promise<void> {
    for (let state = this.#pending; state && !this.#closed.signal.aborted; state = this.#pending) {
      this.#pending = undefined;
      try {
        const { snapshot, base, lexicon } = state;
        const slices = new Slices(SLICE_MS, this.#closed.signal);
        // The caller goes on first.
        await slices.pause();
        const hashes = snapshot.tools.map(({ hash }) => hash);
        const bytes = await encodeSegment({ segment: base, lexicon, hashes }, slices);
        await this.#store(await idOf(snapshot, slices), bytes);
      } catch (fault) {
        this.#report(fault);
      }
    }
    this.#writing = undefined;
  }

  /** A write that never ends must not keep later states from being written. */
  async #store(id: string, bytes: Uint8Array): Promise<void> {
    const deadline = new Deadline(MAX_WRITE_MS, this.#closed.signal);
    try {
      await unlessAborted(() => this.cache.write(KIND, id, bytes), deadline.signal);
    } finally {
      deadline.clear();
    }
  }

  #report(fault: unknown): void {
    if (this.#closed.signal.aborted) return;
    try {
      this.onFault(fault);
    } catch {
      // Nothing may depend on the cache, not even on how its faults are told.
    }
  }
}

/** A digest of the definitions in the catalog's order, and of the way they are analyzed. */
async function idOf({ tools }: CatalogSnapshot, slices: Slices): Promise<string> {
  const digest = createHash('sha256').update(String(analysisVersion()));
  for (const [id, { hash }] of tools.entries()) {
    digest.update('\n').update(hash);
    if (id % 256 === 0 && slices.due) await slices.pause();
  }
  return digest.digest('hex');
}
