import { object, type OptionsOf, record, type SettingsOf, whole } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { globMatches } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';

export const sourceQueueOptions = object({
  /**
   * Calls that may run at the same time in one source, by the source's name or a glob over names. A name counts before
   * the globs, and of the globs the first that matches. Each tenant's own source counts for itself. The limit holds in
   * each process.
   *
   * @default {} (no limit)
   */
  perSource: record(whole(1, 10_000), glob()).default({}),
});

export const sourceQueueTuning = object({
  /**
   * Calls of all tenants that may wait for one source. For a further one, the newest of the tenant with the most waiting calls
   * is refused. @default 1000
   */
  maxWaiting: whole(0, 1_000_000).default(1000),
  /** Calls of one tenant that may wait for one source; the next one is refused. @default 100 */
  maxWaitingPerTenant: whole(0, 1_000_000).default(100),
});

export interface SourceQueueTuning extends OptionsOf<typeof sourceQueueTuning> {}

export const sourceQueueSchema = object({ ...sourceQueueOptions.shape, ...sourceQueueTuning.shape });

/** A call that needs a place at its source. */
export interface QueuedCall {
  readonly tool: string;
  readonly source: ToolSource;
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  /** Epoch milliseconds at which the place is free again at the latest. */
  readonly deadline: number;
}

/** The calls of one source with a limit, at this moment and in this process. */
export interface SourceLoad {
  readonly source: string;
  /** The tenant that owns the source; `''` = shared. */
  readonly owner: string;
  /** Calls that may run at the same time. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

interface WaitingCall {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The calls of one source. While calls wait, every place is taken. */
interface Line {
  readonly limit: number;
  running: number;
  waiting: number;
  /** Waiting calls by tenant, in the order of their turns; those of one tenant in the order of arrival. */
  readonly tenants: Map<string, Set<WaitingCall>>;
  /** Moving average of how long a call holds its place. */
  meanMs: number;
}

const FIRST_MEAN_MS = 1000;
const NEWEST_SHARE = 0.2;
const MAX_RETRY_SECONDS = 60;

/**
 * Runs at most a number of calls at the same time in one source. The other calls wait within bounds: tenants take
 * turns, and the calls of one tenant are served in the order of their arrival. So a call of a tenant that has none
 * waiting is delayed by at most one call of each other tenant.
 */
export class SourceQueue {
  readonly #limits = new WeakMap<ToolSource, { readonly limit: number | undefined }>();
  readonly #lines = new Map<ToolSource, Line>();

  constructor(
    private readonly events: ToolEvents,
    private readonly settings: SettingsOf<typeof sourceQueueSchema>,
    private readonly tracing?: ToolTracing,
  ) {}

  /**
   * Runs `work` when the source has a free place. The place is free again when `work` settles, also after its caller
   * was cancelled: a source that ignores the signal is still busy. It is free at the call's deadline at the latest.
   *
   * @param work `waited`: whether time has passed, so that earlier checks must be repeated
   * @throws ToolSearchError `SOURCE_BUSY` if no more calls may wait; an error if the signal aborts while the call waits
   */
  run<T>(call: QueuedCall, work: (waited: boolean) => T | Promise<T>): T | Promise<T> {
    const limit = this.#limitOf(call.source);
    return limit === undefined ? work(false) : this.#run(call, limit, work);
  }

  /** All sources with a limit that run calls now, by the number of waiting calls. */
  status(): readonly SourceLoad[] {
    return [...this.#lines]
      .map(([{ name, owner = '' }, { limit, running, waiting }]) => ({ source: name, owner, limit, running, waiting }))
      .toSorted((one, other) => other.waiting - one.waiting);
  }

  async #run<T>(call: QueuedCall, limit: number, work: (waited: boolean) => T | Promise<T>): Promise<T> {
    const { source, signal } = call;
    let line = this.#lines.get(source);
    if (!line) this.#lines.set(source, (line = newLine(limit)));
    const waits = line.running >= limit;
    if (!waits) line.running += 1;
    else if (this.tracing) await this.tracing.waited('source', async () => this.#turn(call, line));
    else await this.#turn(call, line);
    const started = performance.now();
    let isHeld = true;
    const leave = () => {
      if (isHeld) this.#passOn(source, line);
      isHeld = false;
    };
    const latest = setTimeout(leave, Math.max(0, call.deadline - Date.now())).unref();
    try {
      signal.throwIfAborted();
      return await work(waits);
    } finally {
      clearTimeout(latest);
      line.meanMs += NEWEST_SHARE * (performance.now() - started - line.meanMs);
      leave();
    }
  }

  #turn(call: QueuedCall, line: Line): Promise<void> {
    const { signal, context } = call;
    const { tenantId } = context;
    const own = line.tenants.get(tenantId) ?? new Set();
    const { maxWaiting, maxWaitingPerTenant } = this.settings;
    if (own.size >= maxWaitingPerTenant) throw this.#busy(call, line);
    if (signal.aborted) throw new Error('aborted before waiting', { cause: signal.reason });
    if (line.waiting >= maxWaiting) {
      const goes = newestOfLargest(line, own.size + 1);
      if (!goes) throw this.#busy(call, line);
      goes.refuse();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        own.delete(waiting);
        if (own.size === 0) line.tenants.delete(tenantId);
        line.waiting -= 1;
      };
      const cancel = () => {
        leave();
        reject(new Error('aborted while waiting', { cause: signal.reason }));
      };
      const waiting: WaitingCall = {
        start: () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
        refuse: () => {
          signal.removeEventListener('abort', cancel);
          leave();
          reject(this.#busy(call, line));
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      line.tenants.set(tenantId, own.add(waiting));
      line.waiting += 1;
    });
  }

  // The place goes to the first call of the first tenant, and this tenant to the end of the round.
  #passOn(source: ToolSource, line: Line): void {
    for (const [tenantId, own] of line.tenants) {
      line.tenants.delete(tenantId);
      for (const waiting of own) {
        own.delete(waiting);
        if (own.size > 0) line.tenants.set(tenantId, own);
        line.waiting -= 1;
        waiting.start();
        return;
      }
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(source);
  }

  #busy({ tool, source, context }: QueuedCall, { limit, waiting, meanMs }: Line): ToolSearchError {
    const seconds = Math.ceil(((waiting + 1) * meanMs) / limit / 1000);
    const retryAfterSeconds = Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds));
    const ids = eventIds(context);
    this.events.emit({ type: 'source.overloaded', ...ids, source: source.name, tool, waiting, retryAfterSeconds });
    return new ToolSearchError('SOURCE_BUSY', `Too many calls are waiting for the source of ${tool}.`, {
      hint: `Nothing has happened. Call it again in ${retryAfterSeconds} s, or use another tool.`,
      retryAfterSeconds,
    });
  }

  #limitOf(source: ToolSource): number | undefined {
    let known = this.#limits.get(source);
    if (!known) this.#limits.set(source, (known = { limit: this.#configured(source.name) }));
    return known.limit;
  }

  #configured(name: string): number | undefined {
    const { perSource } = this.settings;
    if (Object.hasOwn(perSource, name)) return perSource[name];
    return Object.entries(perSource).find(([pattern]) => globMatches(pattern, name))?.[1];
  }
}

/** The newest call of the tenant with the most waiting calls, if it has more than so many. */
function newestOfLargest({ tenants }: Line, count: number): WaitingCall | undefined {
  let largest: ReadonlySet<WaitingCall> | undefined;
  for (const own of tenants.values()) if (own.size > Math.max(count, largest?.size ?? 0)) largest = own;
  return [...(largest ?? [])].at(-1);
}

function newLine(limit: number): Line {
  return { limit, running: 0, waiting: 0, tenants: new Map(), meanMs: FIRST_MEAN_MS };
}
