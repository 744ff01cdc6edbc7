import { SearchCache } from '@tool-search/core/stores';

/** A search cache that outlives an index but not the process: measures a restart without disk reads. */
export class KeptInMemory extends SearchCache {
  readonly #entries = new Map<string, Uint8Array>();

  async read(kind: string, id: string): Promise<Uint8Array | undefined> {
    const newest = [...this.#entries].findLast(([key]) => key.startsWith(`${kind} `))?.[1];
    return this.#entries.get(`${kind} ${id}`) ?? newest;
  }

  async write(kind: string, id: string, bytes: Uint8Array): Promise<void> {
    this.#entries.set(`${kind} ${id}`, bytes.slice());
  }

  async clear(): Promise<number> {
    const count = this.#entries.size;
    this.#entries.clear();
    return count;
  }
}
