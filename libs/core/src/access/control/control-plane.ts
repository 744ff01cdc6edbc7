import { randomUUID } from 'node:crypto';
import type { ToolEvents } from '../../tool/tool-event.js';
import { flag, object, type OptionsOf, type SettingsOf, whole, withDefaults } from '../../options/options.js';
import { guardStore } from '../../tool/store-guard.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { controlHealth, type ControlHealth } from './control-health.js';
import type { ControlKinds } from './control-kind.js';
import { controlSnapshot, type ControlSnapshot } from './control-snapshot.js';
import type { ControlChange, ControlInstance, ControlOutcome, ControlState, ControlStore } from './control-store.js';
import { DeadlineError, withDeadline } from '../../async/deadline.js';
import { type Propagation, PropagationWatch } from './propagation-watch.js';
import { SeenHeads } from './seen-heads.js';

export const controlOptions = object({
  /** Milliseconds without a successful read after which every call is refused. @default 30000 */
  closedAfterMs: whole(100, 3_600_000).default(30_000),
  /** Also receive change notifications from the store; turn off behind a transaction pooler. @default true */
  listen: flag().default(true),
});

export interface ControlOptions extends OptionsOf<typeof controlOptions> {}

export const controlTuning = object({
  /** Milliseconds between two reads of the store, ±10%. @default 1000 */
  pollMs: whole(10, 60_000).default(1000),
  /** Milliseconds that one read may take. @default 500 */
  readDeadlineMs: whole(10, 60_000).default(500),
  /** Milliseconds without a successful read after which the state is `stale`. @default 5000 */
  staleAfterMs: whole(10, 3_600_000).default(5000),
});

export interface ControlTuning extends OptionsOf<typeof controlTuning> {}

export const controlSchema = object({ ...controlOptions.shape, ...controlTuning.shape });

export type ControlSettings = SettingsOf<typeof controlSchema>;

const WORK_DEADLINE_MS = 10_000;
const SET_BACK = 'the control store went back to an older revision; it is believed again after a restart';

/**
 * Holds the newest snapshot of the operators' decisions. It returns the snapshot only if the store was read
 * successfully within the last `closedAfterMs` milliseconds, so every change committed before that read is included;
 * otherwise it refuses to decide. Age is measured with a monotonic clock that is taken before each read.
 */
export class ControlPlane {
  readonly instanceId = randomUUID();
  /** Heads of the audit trail that this process has seen. */
  readonly seen = new SeenHeads();
  readonly #listeners = new Set<(snapshot: ControlSnapshot) => void>();
  readonly #watch: PropagationWatch;
  #snapshot: ControlSnapshot | undefined;
  #provenAt = -Infinity;
  #rulesRevision = 1;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => Promise<void>) | undefined;
  #reported = 'ready, written';
  #isWritable = true;
  #lost: string | undefined;
  /** The last reading of the store's clock (`at`, epoch milliseconds) and its monotonic time (`readAt`). */
  #storeTime: { readonly at: number; readonly readAt: number } | undefined;
  #isStopped = false;
  #wasSetBack = false;

  /** @param kinds the kinds of records that this application knows; it sees no others */
  constructor(
    readonly store: ControlStore,
    readonly kinds: ControlKinds,
    private readonly events: ToolEvents,
    private readonly settings: ControlSettings = withDefaults(controlSchema),
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#watch = new PropagationWatch(() => this.instances(), this.clock);
  }

  /** The newest snapshot. @throws ToolSearchError `GATE_CLOSED` when it is older than `closedAfterMs` */
  current(): ControlSnapshot {
    if (this.#snapshot && this.clock() - this.#provenAt <= this.settings.closedAfterMs) return this.#snapshot;
    this.#report();
    throw new ToolSearchError(
      'GATE_CLOSED',
      'No tool can be used at the moment: what operators decided is not known.',
      { hint: 'Try again in a moment.' },
    );
  }

  /** The last snapshot, fresh or not. Only for operators: decisions use {@link current}. */
  snapshot(): ControlSnapshot | undefined {
    return this.#snapshot;
  }

  /** Rises whenever decisions of a kind with `changesViews` change, for example policies. Kill switches do not change it. */
  get rulesRevision(): number {
    return this.#rulesRevision;
  }

  /** How fresh this process's view of the operators' decisions is, and whether the store takes writes. */
  health(): ControlHealth {
    const freshness = controlHealth(this.#snapshot?.revision, this.clock() - this.#provenAt, this.settings);
    return { ...freshness, writable: this.#isWritable, ...(this.#lost !== undefined && { reason: this.#lost }) };
  }

  /**
   * Epoch milliseconds by the store's clock, shared by all instances; until the first heartbeat, by the local clock.
   */
  now(): number {
    const known = this.#storeTime;
    return known ? Math.round(known.at + this.clock() - known.readAt) : Date.now();
  }

  /**
   * Reads the store, then again every `pollMs` and after every notification. Does not throw while the store is down:
   * the gate stays closed.
   */
  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#poll();
    if (this.settings.listen)
      this.#unwatch = await this.store.watch?.(() => void this.refresh().catch(() => undefined));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#unwatch?.();
    await this.guarded(() => this.store.leave(this.instanceId)).catch(() => undefined);
  }

  /** Calls the listener with every new snapshot, before a decision uses it. Returns the function that unsubscribes. */
  onChange(listener: (snapshot: ControlSnapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes a change. When this resolves, this process has applied it. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async change(change: ControlChange): Promise<ControlOutcome> {
    const outcome = await this.#written(() => this.guarded(() => this.store.change(change)));
    if (outcome.outcome === 'changed') this.seen.add(outcome.entry);
    // Also for a replayed change: the first request may have failed because this instance could not read it back.
    if (outcome.outcome !== 'conflict' && (change.put || change.remove)) await this.#applied(outcome.entry.revision);
    return outcome;
  }

  /** All records of the stored kinds; undefined if the revision is still `known`. Rejects as the store does. */
  read(known?: number): Promise<ControlState | undefined> {
    return this.store.read(
      known,
      this.kinds.stored.map(({ kind }) => kind),
    );
  }

  /** Refreshes now. Concurrent callers share one refresh that started after their call. Rejects when the read fails. */
  refresh(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#running = this.#look();
        return this.#running;
      });
    return this.#next;
  }

  /** Waits at most `waitMs` milliseconds until all live instances have applied the revision. */
  propagation(revision: number, waitMs: number): Promise<Propagation> {
    return this.#watch.until(revision, waitMs);
  }

  /** Live instances. One without a heartbeat for `closedAfterMs` is left out: by now it refuses every call. */
  async instances(): Promise<readonly ControlInstance[]> {
    if (!this.store.isShared) return [{ id: this.instanceId, appliedRevision: this.health().revision, silentMs: 0 }];
    return this.guarded(() => this.store.instances(this.settings.closedAfterMs));
  }

  /**
   * Runs work on the store, for at most 10 s. Split long reads into pages, with one call for each page.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE` for every error without a code
   */
  guarded<T>(work: () => Promise<T>): Promise<T> {
    const inTime = () =>
      withDeadline(WORK_DEADLINE_MS, work).catch((error: unknown) => {
        throw error instanceof DeadlineError ? lateError(error) : error;
      });
    return guardStore('What operators decide', inTime, {
      hint: 'Nothing is known to have changed. Look at the current state before you try again.',
      passes: () => true,
    });
  }

  // Only a successful refresh after the change proves it. The revision alone does not: a restored store may be behind
  // the snapshot held here.
  async #applied(revision: number): Promise<void> {
    let cause: unknown = new Error(`the control store does not know its own revision ${revision}`);
    for (let attempt = 1; attempt <= 3; attempt++) {
      try {
        await this.refresh();
        if (this.health().revision >= revision) return;
      } catch (error) {
        cause = error;
      }
    }
    throw new ToolSearchError(
      'STORE_UNAVAILABLE',
      'The change was written, but this instance could not read it back.',
      { hint: 'It applies as soon as the store answers. Look at the current state before you try again.', cause },
    );
  }

  async #poll(): Promise<void> {
    await this.refresh().catch(() => undefined);
    // Also for a store of a single process: a failed heartbeat reveals a full disk, and a successful one that it is
    // writable again.
    await this.#beat();
    this.#report();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#poll(), this.settings.pollMs * (0.9 + Math.random() * 0.2));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#wasSetBack) throw new Error(SET_BACK);
    const began = this.clock();
    const known = this.#snapshot;
    const state = await withDeadline(this.settings.readDeadlineMs, () => this.read(known?.revision)).catch(
      (error: unknown) => {
        if (isToolSearchError(error) && error.code === 'GATE_CLOSED') this.#lose(error);
        throw error;
      },
    );
    if (state) {
      if (known && state.revision < known.revision) {
        // Tools that were switched off after the backup would be on again, even once the store has caught up with this
        // revision.
        this.#wasSetBack = true;
        this.events.emit({ type: 'control.rolled_back', held: known.revision, found: state.revision });
        throw new Error(SET_BACK);
      }
      this.#swap(controlSnapshot(this.kinds.stored, state, known));
    }
    this.#provenAt = began;
    this.#lost = undefined;
    if (!state) return;
    if (this.store.isShared) void this.#beat();
    const head = await withDeadline(this.settings.readDeadlineMs, () => this.store.head()).catch(() => undefined);
    if (head) this.seen.add(head);
  }

  // Closes the gate at once, not after `closedAfterMs`: the store that the last read used is gone, and the next process
  // will read another one.
  #lose({ message }: Error): void {
    this.#lost = message;
    this.#provenAt = -Infinity;
    this.#report();
  }

  #swap(next: ControlSnapshot): void {
    const before = this.#snapshot;
    const shaping = this.kinds.stored.filter(({ changesViews }) => changesViews);
    this.#snapshot = next;
    if (shaping.some((kind) => before?.of(kind) !== next.of(kind))) this.#rulesRevision += 1;
    for (const listener of this.#listeners) listener(next);
  }

  async #beat(): Promise<void> {
    const { revision } = this.health();
    if (this.#isStopped) return;
    try {
      const beat = () => withDeadline(this.settings.readDeadlineMs, () => this.store.beat(this.instanceId, revision));
      this.#storeTime = { at: await this.#written(beat), readAt: this.clock() };
    } catch {
      // The next poll sends a heartbeat again. A lost heartbeat makes an instance look late, never up to date.
    }
  }

  async #written<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#isWritable = true;
      return result;
    } catch (error) {
      this.#isWritable = false;
      throw error;
    }
  }

  #report(): void {
    const { state, ageMs, writable, reason } = this.health();
    const report = `${state}, ${writable ? 'written' : 'not written'}`;
    if (report === this.#reported) return;
    this.#reported = report;
    const age = Math.min(ageMs, Number.MAX_SAFE_INTEGER);
    this.events.emit({ type: 'control.health_changed', state, ageMs: age, writable, ...(reason && { reason }) });
  }
}

// After the deadline, the work may still complete.
function lateError(cause: Error): ToolSearchError {
  return new ToolSearchError('STORE_UNAVAILABLE', 'The store of what operators decide does not answer.', {
    hint: 'A change may have been made all the same. Look at the current state before you try again.',
    cause,
  });
}
