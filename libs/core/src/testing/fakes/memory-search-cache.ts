import { SearchCache } from '../../search/search-cache.js';

const KEPT_OF_A_KIND = 4;

/** A search cache in memory, to test data that is kept over restarts. */
export class MemorySearchCache extends SearchCache {
  readonly #kinds = new Map<string, Map<string, Uint8Array>>();

  /** Ids of the entries of a kind, in the order of writing. */
  idsOf(kind: string): readonly string[] {
    return [...(this.#kinds.get(kind)?.keys() ?? [])];
  }

  override async read(kind: string, id: string): Promise<Uint8Array | undefined> {
    const entries = this.#kinds.get(kind);
    return (entries?.get(id) ?? [...(entries?.values() ?? [])].at(-1))?.slice();
  }

  override async write(kind: string, id: string, bytes: Uint8Array): Promise<void> {
    const entries = this.#kinds.get(kind) ?? new Map<string, Uint8Array>();
    entries.delete(id);
    entries.set(id, bytes.slice());
    for (const oldest of [...entries.keys()].slice(0, -KEPT_OF_A_KIND)) entries.delete(oldest);
    this.#kinds.set(kind, entries);
  }

  override async clear(): Promise<number> {
    const count = [...this.#kinds.values()].reduce((sum, entries) => sum + entries.size, 0);
    this.#kinds.clear();
    return count;
  }
}
