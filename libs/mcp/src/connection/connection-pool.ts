import { type Access, SHARED } from './credentials.js';
import type { McpConnection } from './mcp-connection.js';

export interface PoolOptions {
  /** Opens a connection; the connection calls `ended` once when it has ended for any reason. */
  readonly open: (access: Access, ended: () => void) => Promise<McpConnection>;
  readonly maxConnections: number;
  /** Milliseconds without use after which a connection is closed. */
  readonly idleMs: number;
  /** Closes the shared connection too when it is idle. */
  readonly lazy: boolean;
}

interface Slot {
  readonly digest: string;
  readonly opening: Promise<McpConnection>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * The connections of one source: one shared connection, and one for each holder of credentials. A connection is never
 * reused for another holder, or for the same holder with other credentials.
 */
export class ConnectionPool {
  // In order of use: the least recently used slot comes first.
  readonly #slots = new Map<string, Slot>();
  readonly #all = new Set<Promise<McpConnection>>();
  // Resolvers called when the next connection ends.
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly options: PoolOptions) {}

  /** Whether a connection of this holder is open or being opened. */
  has(holder: string): boolean {
    return this.#slots.has(holder);
  }

  /** Runs work on the open connection of an access, or opens one. Aborting the wait leaves the connection open. */
  async use<T>(access: Access, signal: AbortSignal, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      await this.#room(access, signal);
      const slot = this.#slot(access);
      slot.users += 1;
      clearTimeout(slot.idle);
      try {
        const connection = await orAborted(slot.opening, signal);
        if (!connection.isOver) return await work(connection);
        this.#drop(access.holder, slot);
      } finally {
        slot.users -= 1;
        if (slot.users === 0) this.#waitIdle(access.holder, slot);
      }
    }
  }

  /**
   * Releases a holder's connection, so that the next use opens a new one. Resolves once an idle connection is closed.
   */
  async renew(holder: string): Promise<void> {
    const slot = this.#slots.get(holder);
    if (!slot) return;
    this.#drop(holder, slot);
    const connection = await slot.opening.catch(() => undefined);
    await connection?.retire();
  }

  /** Closes all connections, also those in use. */
  async close(): Promise<void> {
    for (const slot of this.#slots.values()) clearTimeout(slot.idle);
    this.#slots.clear();
    const opened = await Promise.allSettled(this.#all);
    await Promise.all(opened.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value.close()] : [])));
  }

  #slot(access: Access): Slot {
    const { holder, digest } = access;
    const known = this.#slots.get(holder);
    if (known?.digest === digest) {
      this.#slots.delete(holder);
      this.#slots.set(holder, known);
      return known;
    }
    if (known) void this.renew(holder);
    else if (holder !== SHARED) this.#makeRoom();
    const slot: Slot = { digest, opening: this.#open(access), users: 0, idle: undefined };
    slot.opening.catch(() => this.#drop(holder, slot));
    this.#slots.set(holder, slot);
    return slot;
  }

  /** Waits while 2 × `maxConnections` connections are open: running calls keep released connections open. */
  async #room({ holder, digest }: Access, signal: AbortSignal): Promise<void> {
    const isNew = () => holder !== SHARED && this.#slots.get(holder)?.digest !== digest;
    while (isNew() && this.#all.size >= 2 * this.options.maxConnections) {
      const [goes] = this.#owned().find(([, slot]) => slot.users === 0) ?? [];
      if (goes !== undefined) void this.renew(goes);
      await orAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
    }
  }

  #makeRoom(): void {
    const owned = this.#owned();
    if (owned.length < this.options.maxConnections) return;
    // Closes an idle connection first; otherwise the least recently used one, after its running calls.
    const [goes] = owned.find(([, slot]) => slot.users === 0) ?? owned[0] ?? [];
    if (goes !== undefined) void this.renew(goes);
  }

  #owned(): [string, Slot][] {
    return [...this.#slots].filter(([holder]) => holder !== SHARED);
  }

  #open(access: Access): Promise<McpConnection> {
    const forget = () => {
      this.#all.delete(opening);
      for (const resolve of this.#waiting.splice(0)) resolve();
      const slot = this.#slots.get(access.holder);
      if (slot?.opening === opening) this.#drop(access.holder, slot);
    };
    const opening = this.options.open(access, () => forget());
    this.#all.add(opening);
    opening.catch(forget);
    return opening;
  }

  #waitIdle(holder: string, slot: Slot): void {
    clearTimeout(slot.idle);
    if (this.#slots.get(holder) !== slot || (holder === SHARED && !this.options.lazy)) return;
    slot.idle = setTimeout(() => void this.renew(holder), this.options.idleMs);
    slot.idle.unref();
  }

  #drop(holder: string, slot: Slot): void {
    clearTimeout(slot.idle);
    if (this.#slots.get(holder) === slot) this.#slots.delete(holder);
  }
}

/** Resolves like `work`, but rejects as soon as the signal aborts. The work continues for its other callers. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
