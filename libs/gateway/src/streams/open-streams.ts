import { TenantFairLru, withDeadline } from '@tool-search/core/internal';
import { randomUUID } from 'node:crypto';
import type { GatewayRequest } from '../gateway-request.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { RpcRefusal } from '../http/rpc-refusal.js';
import { changedLists, type ListDigests, type ListName } from './list-digests.js';

/** A client that is notified of changes of its list. */
export interface OpenStream {
  /** Digests of the lists as of now. @throws if the caller is no longer let in */
  readonly digests: () => Promise<ListDigests>;
  /** Asks guards and `context` again. @throws if the caller is no longer let in */
  readonly recheck: () => Promise<void>;
  readonly notify: (changed: ListName) => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

interface Reserved {
  readonly principal: string;
  readonly end: () => unknown;
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

const TOO_MANY = 'You have too many open streams. Close some of them.';

/** The open notification streams of this process. A stream hears of a change only if its own list has changed. */
export class OpenStreams {
  readonly #entries = new Set<Entry>();
  /** By tenant, in the order of their beginning. */
  readonly #reserved: TenantFairLru<Reserved>;
  readonly #rechecks: NodeJS.Timeout;
  #isClosed = false;
  #pending: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly settings: GatewaySettings['streams']) {
    this.#reserved = new TenantFairLru(settings.max);
    this.#rechecks = setTimeout(() => void this.#recheckAll(), settings.recheckMs).unref();
  }

  /**
   * Takes room for a stream. In a full process, the oldest stream of the tenant that has most ends. Returns the function that
   * frees the room.
   *
   * @param end ends the stream, whether it has been added or not
   * @throws RpcRefusal 429 when the caller has too many
   */
  reserve(
    { principal, context: { tenantId } }: Pick<GatewayRequest, 'principal' | 'context'>,
    end: () => unknown,
  ): () => void {
    const own = [...this.#reserved.ofTenant(tenantId)].filter((each) => each.principal === principal).length;
    if (own >= this.settings.maxPerCaller) {
      const headers = { 'Retry-After': '30' };
      throw new RpcRefusal(429, -32603, TOO_MANY, 'RATE_LIMITED', undefined, headers);
    }
    const key = randomUUID();
    this.#reserved.set(tenantId, key, { principal, end })?.end();
    return () => void this.#reserved.delete(tenantId, key);
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
