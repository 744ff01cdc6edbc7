import { withDeadline } from '@tool-search/core/egress';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { RpcRefusal } from '../http/rpc-refusal.js';
import { changedLists, type ListDigests, type ListName } from './list-digests.js';

/** A client that is told of changes of its list. */
export interface OpenStream {
  /** Digests of the lists as of now. @throws if the caller is no longer let in */
  readonly digests: () => Promise<ListDigests>;
  /** Asks guards and `context` again. @throws if the caller is no longer let in */
  readonly recheck: () => Promise<void>;
  readonly notify: (changed: ListName) => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

interface Entry {
  readonly stream: OpenStream;
  seen: ListDigests;
}

/** Events after which a list may differ. Kill switches, policies and verdicts are control revisions, on every instance. */
export const LIST_EVENTS = ['catalog.published', 'control.applied', 'tool.activated'] as const;
/** Milliseconds in which several changes count as one. */
const SETTLE_MS = 100;
/** Streams that are compared or asked about at a time: a caller whose guard hangs must not hold up the others. */
const PARALLEL = 32;
/** Milliseconds in which guards and `context` have to answer for an open stream. */
const RECHECK_DEADLINE_MS = 10_000;

/** The open notification streams of this process. A stream hears of a change only if its own list has changed. */
export class OpenStreams {
  readonly #entries = new Set<Entry>();
  /** Numbers of streams, by caller. */
  readonly #reserved = new Map<string, number>();
  #total = 0;
  readonly #rechecks: NodeJS.Timeout;
  #isClosed = false;
  #pending: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly settings: GatewaySettings['streams']) {
    this.#rechecks = setTimeout(() => void this.#recheckAll(), settings.recheckMs).unref();
  }

  /**
   * Takes room for a stream. Returns the function that frees it.
   *
   * @throws RpcRefusal 429 or 503 when there is none
   */
  reserve(principal: string): () => void {
    const { maxPerCaller, max } = this.settings;
    const own = this.#reserved.get(principal) ?? 0;
    if (own >= maxPerCaller) throw noRoom(429, 'You have too many open streams. Close some of them.');
    if (this.#total >= max) throw noRoom(503, 'This server has no room for another stream.');
    this.#reserved.set(principal, own + 1);
    this.#total++;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#total--;
      const left = (this.#reserved.get(principal) ?? 1) - 1;
      if (left === 0) this.#reserved.delete(principal);
      else this.#reserved.set(principal, left);
    };
  }

  /** Adds a stream with the digests of the lists at its beginning. Returns the function that removes it. */
  add(stream: OpenStream, seen: ListDigests): () => void {
    const entry = { stream, seen };
    // The server may have begun to shut down while the stream was being opened.
    if (this.#isClosed) {
      void this.#end(entry);
      return () => undefined;
    }
    this.#entries.add(entry);
    // The list may have changed since its digest was computed.
    void this.#queue(() => this.#compare(entry));
    return () => void this.#entries.delete(entry);
  }

  /** Lists may have changed: compares each stream's list soon. */
  changed(): void {
    if (this.#entries.size === 0 || this.#pending) return;
    this.#pending = setTimeout(() => {
      void this.#queue(() => {
        // Not before: changes that arrive while this waits are seen by it, and need no further comparison.
        this.#pending = undefined;
        return this.#forEach((entry) => this.#compare(entry));
      });
    }, SETTLE_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#rechecks);
    clearTimeout(this.#pending);
    await Promise.all([...this.#entries].map((entry) => this.#end(entry)));
  }

  // One after another: comparing takes time, and a stream must not hear of one change twice.
  #queue(work: () => Promise<void>): Promise<void> {
    return (this.#running = this.#running.then(work, work));
  }

  async #forEach(work: (entry: Entry) => Promise<void>): Promise<void> {
    const entries = this.#entries.values();
    const next = async () => {
      for (const entry of entries) {
        // A long list takes milliseconds, and there may be thousands of streams: one in each turn of the event loop.
        await (this.#turn = this.#turn.then(nextTurn));
        await work(entry);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, next));
  }

  async #recheckAll(): Promise<void> {
    await this.#queue(() => this.#forEach((entry) => this.#recheck(entry)));
    if (!this.#isClosed) this.#rechecks.refresh();
  }

  async #recheck(entry: Entry): Promise<void> {
    try {
      await withDeadline(RECHECK_DEADLINE_MS, () => entry.stream.recheck());
    } catch {
      return this.#end(entry);
    }
    // Visibility may change without an event.
    await this.#compare(entry);
  }

  async #compare(entry: Entry): Promise<void> {
    try {
      const digests = await entry.stream.digests();
      const changed = changedLists(entry.seen, digests);
      if (!this.#entries.has(entry)) return;
      entry.seen = digests;
      for (const name of changed) await entry.stream.notify(name);
    } catch {
      // The list cannot be read now, for example because the gate is closed. The next change or recheck tries again.
    }
  }

  async #end(entry: Entry): Promise<void> {
    this.#entries.delete(entry);
    await Promise.resolve(entry.stream.end()).catch(() => undefined);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function noRoom(status: number, message: string): RpcRefusal {
  return new RpcRefusal(status, -32603, message, 'RATE_LIMITED', undefined, { 'Retry-After': '30' });
}
