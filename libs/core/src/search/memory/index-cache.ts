import { createHash } from 'node:crypto';
import type { CatalogSnapshot } from '../../tool/catalog-snapshot.js';
import { Deadline } from '../../tool/deadline.js';
import { unlessAborted } from '../../tool/unless-aborted.js';
import type { SearchCache } from '../search-cache.js';
import { Slices } from '../slices.js';
import { analysisVersion } from './analyze-tool.js';
import { decodeSegment } from './decode-segment.js';
import { encodeSegment } from './encode-segment.js';
import type { IndexState } from './index-state.js';
import type { StoredSegment } from './stored-segment.js';

const KIND = 'memory-index';
const MAX_READ_MS = 10_000;
const MAX_HELD_MS = 300_000;
const WRITE_SLICE_MS = 4;

/**
 * Keeps the large part of an index over restarts. Sources arrive one after the other, so what was read is held until most of
 * its tools have come. A cache that fails is as good as an empty one.
 */
export class IndexCache {
  #reserve: Promise<StoredSegment | undefined> | undefined;
  #held: StoredSegment | undefined;
  #pending: IndexState | undefined;
  #writing: Promise<void> | undefined;

  /** @param onFault told why a cache could not be read or written; whatever it throws is lost */
  constructor(
    private readonly cache: SearchCache,
    private readonly onFault: (fault: unknown) => void = () => undefined,
  ) {}

  /** What an earlier process kept for this catalog, or for one like it, while it has not been used. Read only once. */
  async reserve(snapshot: CatalogSnapshot, slices: Slices): Promise<StoredSegment | undefined> {
    if (!this.#reserve) {
      this.#reserve = this.#read(snapshot, slices);
      this.#held = await this.#reserve;
      if (this.#held) setTimeout(() => this.#drop(), MAX_HELD_MS).unref();
    }
    await this.#reserve;
    return this.#held;
  }

  /** Keeps a state that is one whole base, in the background. Of states that come too fast the last is kept. */
  write(state: IndexState): void {
    if (this.#held) {
      // A catalog that is still filling up must not take the place of the full one.
      if (2 * state.base.count < this.#held.segment.count) return;
      const isUnchanged = this.#held.segment === state.base;
      this.#drop();
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

  #drop(): void {
    this.#held = undefined;
    this.#reserve = Promise.resolve(undefined);
  }

  async #read(snapshot: CatalogSnapshot, slices: Slices): Promise<StoredSegment | undefined> {
    const deadline = new Deadline(MAX_READ_MS);
    try {
      const id = await idOf(snapshot, slices);
      const bytes = await unlessAborted(() => this.cache.read(KIND, id), deadline.signal);
      return bytes && (await decodeSegment(bytes, slices));
    } catch (fault) {
      this.#report(fault);
      return undefined;
    } finally {
      deadline.clear();
    }
  }

  async #writeAll(): Promise<void> {
    for (let state = this.#pending; state; state = this.#pending) {
      this.#pending = undefined;
      try {
        const { snapshot, base, lexicon } = state;
        const slices = new Slices(WRITE_SLICE_MS);
        // The caller goes on first.
        await slices.pause();
        const hashes = snapshot.tools.map(({ hash }) => hash);
        const bytes = await encodeSegment({ segment: base, lexicon, hashes }, slices);
        await this.cache.write(KIND, await idOf(snapshot, slices), bytes);
      } catch (fault) {
        this.#report(fault);
      }
    }
    this.#writing = undefined;
  }

  #report(fault: unknown): void {
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
