import { TenantShares } from '@tool-search/core/internal';
import { type Access, SHARED } from './credentials.js';
import type { McpConnection } from './mcp-connection.js';

export interface PoolOptions {
  /** Opens a connection; the connection calls `ended` once when it has ended for any reason. */
  readonly open: (access: Access, ended: () => void) => Promise<McpConnection>;
  /** Per-user connections that are kept. One tenant can have twice as many open, all tenants four times. */
  readonly maxConnections: number;
  /** Milliseconds without use after which a connection is closed. */
  readonly idleMs: number;
  /** Closes the shared connection too when it is idle. */
  readonly lazy: boolean;
}

interface Slot {
  readonly tenantId: string;
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
  /** Open per-user connections. A running call keeps its connection open, so that none can give way at once. */
  readonly #shares: TenantShares;
  /** Called when the next connection ends or becomes idle. */
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: PoolOptions) {
    this.#shares = new TenantShares(4 * options.maxConnections);
  }

  /** Whether a connection of this holder is open or being opened. */
  has(holder: string): boolean {
    return this.#slots.has(holder);
  }

  /** Runs work on the open connection of an access, or opens one. Aborting the wait leaves the connection open. */
  async use<T>(access: Access, signal: AbortSignal, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isFullFor(access)) {
        await this.#oneEnded(access, signal);
        // Another call may have taken the room meanwhile.
        continue;
      }
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
    const { holder, tenantId, digest } = access;
    const known = this.#slots.get(holder);
    if (known?.digest === digest) {
      this.#slots.delete(holder);
      this.#slots.set(holder, known);
      return known;
    }
    if (known) void this.renew(holder);
    else if (holder !== SHARED) this.#makeRoom(tenantId);
    const slot: Slot = { tenantId, digest, opening: this.#open(access), users: 0, idle: undefined };
    slot.opening.catch(() => this.#drop(holder, slot));
    this.#slots.set(holder, slot);
    return slot;
  }

  /** Whether an access needs a connection of its own while its tenant has its share of open ones. */
  #isFullFor({ holder, tenantId, digest }: Access): boolean {
    return holder !== SHARED && this.#slots.get(holder)?.digest !== digest && !this.#shares.hasRoom(tenantId);
  }

  /** Closes an idle connection, or waits for one to end: running calls keep released ones open. */
  async #oneEnded({ tenantId }: Access, signal: AbortSignal): Promise<void> {
    const own = this.#shares.heldBy(tenantId);
    // An idle one of a tenant with fewer stays.
    const [goes] =
      this.#owned().find(([, slot]) => slot.users === 0 && this.#shares.heldBy(slot.tenantId) >= own) ?? [];
    if (goes !== undefined) void this.renew(goes);
    let wake = () => {};
    const ended = new Promise<void>((resolve) => this.#waiting.add((wake = resolve)));
    try {
      await orAborted(ended, signal);
    } finally {
      this.#waiting.delete(wake);
    }
  }

  #makeRoom(tenantId: string): void {
    if (this.#owned().length < this.options.maxConnections) return;
    const [goes] = this.#leastNeeded(tenantId) ?? [];
    if (goes !== undefined) void this.renew(goes);
  }

  /**
   * The slot that goes for a new one of a tenant: one of the tenant with the most open connections; an idle one first,
   * otherwise the least recently used one, after its running calls.
   */
  #leastNeeded(tenantId: string): [string, Slot] | undefined {
    const open = (each: string) => this.#shares.heldBy(each) + (each === tenantId ? 1 : 0);
    const [first] = this.#owned().toSorted(
      ([, left], [, right]) =>
        open(right.tenantId) - open(left.tenantId) || Number(left.users > 0) - Number(right.users > 0),
    );
    return first;
  }

  #owned(): [string, Slot][] {
    return [...this.#slots].filter(([holder]) => holder !== SHARED);
  }

  #open(access: Access): Promise<McpConnection> {
    const { holder, tenantId } = access;
    const forget = () => {
      if (this.#all.delete(opening) && holder !== SHARED) this.#shares.giveBack(tenantId);
      this.#wake();
      const slot = this.#slots.get(holder);
      if (slot?.opening === opening) this.#drop(holder, slot);
    };
    const opening = this.options.open(access, () => forget());
    this.#all.add(opening);
    if (holder !== SHARED) this.#shares.take(tenantId);
    opening.catch(forget);
    return opening;
  }

  #waitIdle(holder: string, slot: Slot): void {
    clearTimeout(slot.idle);
    if (this.#slots.get(holder) !== slot || (holder === SHARED && !this.options.lazy)) return;
    slot.idle = setTimeout(() => void this.renew(holder), this.options.idleMs);
    slot.idle.unref();
    // A call that waits for room closes it sooner.
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
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
