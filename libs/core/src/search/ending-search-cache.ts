import { withDeadline } from '../async/deadline.js';
import { SearchCache } from './search-cache.js';

/** How long the end waits for what is being read and written. */
const MAX_WAIT_MS = 2_000;

/**
 * A search cache whose use ends before its store is closed: indexes work in the background, and would otherwise read and
 * write after that, also when an application is closed directly after its boot.
 */
export class EndingSearchCache extends SearchCache {
  /** What is being read and written, with what gives it up. */
  readonly #running = new Map<Promise<unknown>, () => void>();
  #isEnding = false;

  constructor(private readonly cache: SearchCache) {
    super();
  }

  override async read(kind: string, id: string): Promise<Uint8Array | undefined> {
    return this.#run(() => this.cache.read(kind, id));
  }

  override async write(kind: string, id: string, bytes: Uint8Array): Promise<void> {
    await this.#run(() => this.cache.write(kind, id, bytes));
  }

  override clear(): Promise<number> {
    return this.cache.clear();
  }

  /** Nothing is read or written from now on. Waits for what runs, two seconds at most; what takes longer is given up. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const settled = Promise.allSettled(this.#running.keys());
    await withDeadline(MAX_WAIT_MS, () => settled).catch(() => undefined);
    for (const giveUp of this.#running.values()) giveUp();
  }

  async #run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#isEnding) return undefined;
    let giveUp = (): void => undefined;
    // Not a race against one promise for the end: it would keep every result until then, also large ones.
    const answer = new Promise<T | undefined>((resolve, reject) => {
      giveUp = () => resolve(undefined);
      work().then(resolve, reject);
    });
    this.#running.set(answer, giveUp);
    try {
      return await answer;
    } finally {
      this.#running.delete(answer);
    }
  }
}
