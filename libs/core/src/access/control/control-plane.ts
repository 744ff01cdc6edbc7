import { randomUUID } from 'node:crypto';
import type { ToolEvents } from '../../tool/tool-event.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { controlHealth, type ControlHealth } from './control-health.js';
import { controlSnapshot, type ControlSnapshot } from './control-snapshot.js';
import type { ControlChange, ControlInstance, ControlOutcome, ControlStore } from './control-store.js';
import { guardedWork } from './guarded-work.js';
import { inTime } from '../../async/in-time.js';
import { type Propagation, PropagationWatch } from './propagation-watch.js';
import { SeenHeads } from './seen-heads.js';

/** How fresh the operators' decisions must be. */
export interface ControlOptions {
  /** Milliseconds between two looks at the store, give or take a tenth. @default 1000 */
  readonly pollMs?: number;
  /** Milliseconds one look may take. @default 500 */
  readonly readDeadlineMs?: number;
  /** Milliseconds without a proven fresh state after which it is called stale. @default 5000 */
  readonly staleAfterMs?: number;
  /** Milliseconds without a proven fresh state after which everything is refused. @default 30000 */
  readonly closedAfterMs?: number;
  /** Let the store tell of changes, besides looking; off, for example, behind a transaction pooler. @default true */
  readonly listen?: boolean;
}

const SET_BACK = 'the control store went back to an older revision; it is believed again after a restart';

/**
 * Holds the newest snapshot of what operators have decided, and refuses to hand it out when its freshness cannot be proven:
 * a process either has looked at the store within `closedAfterMs`, and so has everything committed before that look, or it
 * decides nothing. The clock is monotonic and is read before each look.
 */
export class ControlPlane {
  readonly instanceId = randomUUID();
  /** Ends of the audit trail that this process has seen. */
  readonly seen = new SeenHeads();
  readonly #listeners = new Set<(snapshot: ControlSnapshot) => void>();
  readonly #pollMs: number;
  readonly #readDeadlineMs: number;
  readonly #limits: { readonly staleAfterMs: number; readonly closedAfterMs: number };
  readonly #listens: boolean;
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
  /** Why the store is lost. */
  #lost: string | undefined;
  /** The store's clock, in milliseconds before the monotonic one of this process. */
  #storeTime: { readonly at: number; readonly readAt: number } | undefined;
  #isStopped = false;
  #wasSetBack = false;

  constructor(
    readonly store: ControlStore,
    private readonly events: ToolEvents,
    options: ControlOptions = {},
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#pollMs = options.pollMs ?? 1000;
    this.#readDeadlineMs = options.readDeadlineMs ?? 500;
    const { staleAfterMs = 5000, closedAfterMs = 30_000 } = options;
    this.#limits = { staleAfterMs, closedAfterMs };
    this.#listens = options.listen ?? true;
    this.#watch = new PropagationWatch(() => this.instances(), this.clock);
  }

  /**
   * The newest snapshot.
   *
   * @throws ToolSearchError `GATE_CLOSED` when nobody knows whether it is still true
   */
  current(): ControlSnapshot {
    if (this.#snapshot && this.clock() - this.#provenAt <= this.#limits.closedAfterMs) return this.#snapshot;
    this.#report();
    throw new ToolSearchError(
      'GATE_CLOSED',
      'No tool can be used at the moment: what operators decided is not known.',
      {
        hint: 'Try again in a moment.',
      },
    );
  }

  /** The last snapshot, fresh or not; for operators. */
  snapshot(): ControlSnapshot | undefined {
    return this.#snapshot;
  }

  /** Rises whenever stored policies or quarantine verdicts change; kill switches do not move it. */
  get rulesRevision(): number {
    return this.#rulesRevision;
  }

  /** How fresh the snapshot is. */
  health(): ControlHealth {
    const freshness = controlHealth(this.#snapshot?.revision, this.clock() - this.#provenAt, this.#limits);
    return { ...freshness, writable: this.#isWritable, ...(this.#lost !== undefined && { reason: this.#lost }) };
  }

  /** Epoch milliseconds by the store's clock, the same for all instances; by this process's own until the store has said. */
  now(): number {
    const known = this.#storeTime;
    return known ? Math.round(known.at + this.clock() - known.readAt) : Date.now();
  }

  /** Looks at the store, then again every `pollMs` and at every hint. A store that is down is no error: the gate stays closed. */
  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#poll();
    if (this.#listens) this.#unwatch = await this.store.watch?.(() => void this.refresh().catch(() => undefined));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#unwatch?.();
    await this.guarded(() => this.store.leave(this.instanceId)).catch(() => undefined);
  }

  /** Told of every new snapshot, before anybody is answered by it. Returns what stops it. */
  onChange(listener: (snapshot: ControlSnapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Makes a change and decides by it before this resolves.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async change(change: ControlChange): Promise<ControlOutcome> {
    const outcome = await this.#written(() => this.guarded(() => this.store.change(change)));
    if (outcome.outcome === 'changed') this.seen.add(outcome.entry);
    // Also what is repeated: the first answer may have been that this instance could not read it back.
    if (outcome.outcome !== 'conflict' && (change.put || change.remove)) await this.#applied(outcome.entry.revision);
    return outcome;
  }

  /** Looks at the store now; concurrent callers share a look that began after they asked. Rejects when it fails. */
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

  /** Waits at most `waitMs` milliseconds until all live instances decide by the revision. */
  propagation(revision: number, waitMs: number): Promise<Propagation> {
    return this.#watch.until(revision, waitMs);
  }

  /** The processes that may be deciding: who has been silent for longer than the lease refuses everything by now. */
  async instances(): Promise<readonly ControlInstance[]> {
    if (!this.store.isShared) return [{ id: this.instanceId, appliedRevision: this.health().revision, silentMs: 0 }];
    return this.guarded(() => this.store.instances(this.#limits.closedAfterMs));
  }

  /**
   * Work on the store, at most 10 s of it: whoever reads much does so in pages, each in a time of its own.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE` for every fault that has no code
   */
  guarded<T>(work: () => Promise<T>): Promise<T> {
    return guardedWork(work);
  }

  // Only a look that succeeded after the change proves it: a store that was set back counts below what is held here.
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
      {
        hint: 'It applies as soon as the store answers. Look at the current state before you try again.',
        cause,
      },
    );
  }

  async #poll(): Promise<void> {
    await this.refresh().catch(() => undefined);
    // Also where nobody else reads it: a write that fails shows a full disk, and one that succeeds its end.
    await this.#beat();
    this.#report();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#pollMs * (0.9 + Math.random() * 0.2));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#wasSetBack) throw new Error(SET_BACK);
    const began = this.clock();
    const known = this.#snapshot;
    const state = await inTime(() => this.store.read(known?.revision), this.#readDeadlineMs).catch((error: unknown) => {
      if (isToolSearchError(error) && error.code === 'GATE_CLOSED') this.#lose(error);
      throw error;
    });
    if (state) {
      if (known && state.revision < known.revision) {
        // What was switched off after the backup would be on again, also when the store has caught up with our revision.
        this.#wasSetBack = true;
        this.events.emit({ type: 'control.rolled_back', held: known.revision, found: state.revision });
        throw new Error(SET_BACK);
      }
      this.#swap(controlSnapshot(state, known));
    }
    this.#provenAt = began;
    this.#lost = undefined;
    if (!state) return;
    if (this.store.isShared) void this.#beat();
    const head = await inTime(() => this.store.head(), this.#readDeadlineMs).catch(() => undefined);
    if (head) this.seen.add(head);
  }

  // Closed at once and not after the lease: what the last look found is not where the next process will look.
  #lose({ message }: Error): void {
    this.#lost = message;
    this.#provenAt = -Infinity;
    this.#report();
  }

  #swap(next: ControlSnapshot): void {
    const before = this.#snapshot;
    const isSame = before?.policies === next.policies && before.quarantine === next.quarantine;
    this.#snapshot = next;
    if (!isSame) this.#rulesRevision += 1;
    for (const listener of this.#listeners) listener(next);
    this.events.emit({ type: 'control.applied', revision: next.revision, switches: next.switches.all.length });
  }

  async #beat(): Promise<void> {
    const { revision } = this.health();
    if (this.#isStopped) return;
    try {
      const beat = () => inTime(() => this.store.beat(this.instanceId, revision), this.#readDeadlineMs);
      this.#storeTime = { at: await this.#written(beat), readAt: this.clock() };
    } catch {
      // The next poll beats again; a beat that is lost makes an instance look late, never current.
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
