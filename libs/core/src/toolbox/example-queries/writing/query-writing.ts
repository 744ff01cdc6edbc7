import { addTo } from '../../../collections/records.js';
import { randomUUID } from 'node:crypto';
import { DeadlineError, withDeadline } from '../../../async/deadline.js';
import {
  type ExampleQueryStore,
  NO_COSTS,
  type QueryResult,
  type WritingCosts,
  type WritingLimits,
  type WrittenQueries,
} from '../example-query-store.js';
import type { DescribedForWriter, ExampleQueryWriter } from './example-query-writer.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import type { ToolEvents } from '../../../tool/tool-event.js';
import type { TokenPrices } from '../example-query-options.js';
import { WritingPace, type WritingPass, type WritingState, type WritingWaits } from './writing-pace.js';
import { type CheckedAnswer, describedForWriter, estimatedCosts, writeBatch } from './write-batch.js';

const READ_CHUNK = 500;
const STORE_DEADLINE_MS = 10_000;
/** Calls that fail one after the other before the writer is left alone for a while. */
const MAX_FAULTS = 3;
const MAX_FAILURES = 3;
const KEPT_DEFINITIONS = 4;

export interface QueryWritingParts {
  readonly writer: ExampleQueryWriter;
  readonly store: ExampleQueryStore;
  readonly events: ToolEvents;
  /** Tools for which something has to be written, with the number of queries. */
  readonly wanted: () => readonly { readonly tool: ToolDefinition; readonly count: number }[];
  /** Takes up what was written. */
  readonly take: (records: readonly WrittenQueries[], tools: readonly ToolDefinition[]) => void;
  readonly settings: {
    readonly batchSize: number;
    readonly concurrency: number;
    readonly timeoutMs: number;
    readonly limits: WritingLimits;
    readonly prices: TokenPrices | undefined;
  };
  /** Epoch milliseconds; the same clock for all instances. */
  readonly now: () => number;
  readonly waits?: WritingWaits | undefined;
}

interface Job {
  readonly tool: ToolDefinition;
  readonly described: DescribedForWriter;
}

/**
 * Writes queries in the background, in batches: for each definition once, by one process. A failing writer is asked
 * again ever more rarely, with smaller batches, so that one tool cannot hold the others up.
 */
export class QueryWriting {
  readonly #claimant = randomUUID();
  readonly #closed = new AbortController();
  /** Failures of each definition in this process, so that tools that failed come last. */
  readonly #faults = new Map<string, number>();
  readonly #settled = new Set<string>();
  #batchSize: number;
  #working: Promise<void> | undefined;
  #isDue = false;
  readonly #pace: WritingPace;

  constructor(private readonly parts: QueryWritingParts) {
    this.#batchSize = parts.settings.batchSize;
    this.#pace = new WritingPace(parts.writer.id, parts.events, parts.waits);
  }

  get state(): WritingState {
    return this.#pace.state;
  }

  /** Why the writer failed last, until it answers again. */
  get reason(): string | undefined {
    return this.#pace.reason;
  }

  /** Definitions for which nothing usable was written, a few times. */
  get givenUp(): ReadonlySet<string> {
    return this.#settled;
  }

  /** Looks for work, in the background. Never rejects. */
  look(): void {
    if (this.#closed.signal.aborted) return;
    this.#isDue = true;
    this.#pace.hurry();
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // A change between the last look and now.
      if (this.#isDue) this.look();
    });
  }

  /** Writes for these definitions again, even if that failed before. */
  retry(hashes: Iterable<string>): void {
    for (const hash of hashes) {
      this.#faults.delete(hash);
      this.#settled.delete(hash);
    }
    this.look();
  }

  /** Aborts a running call and waits until its claim is given back. */
  async stop(): Promise<void> {
    this.#closed.abort();
    this.#pace.end();
    await this.#working;
    this.#pace.state = 'stopped';
  }

  async #work(): Promise<void> {
    while (this.#isDue && !this.#closed.signal.aborted) {
      this.#isDue = false;
      const pass: WritingPass = { written: 0, tokens: 0, busy: 0, isSpent: false, error: undefined };
      try {
        await this.#pass(pass);
      } catch (error) {
        // The store failed: nothing is written that could not be kept.
        pass.error = error;
      }
      if (this.#closed.signal.aborted) return;
      const waitMs = this.#pace.after(pass);
      const isFailed = pass.error !== undefined;
      // A listener may have stopped it meanwhile.
      if (waitMs === undefined || this.#closed.signal.aborted || (this.#isDue && !isFailed)) continue;
      this.#isDue = true;
      await this.#pace.rest(waitMs, isFailed);
    }
  }

  async #pass(pass: WritingPass): Promise<void> {
    const left = await this.#unread(this.#open());
    if (left.length === 0) return;
    this.#pace.state = 'writing';
    // One batch has tools of one owner only, so that no call tells of two tenants.
    const owners = new Map<string, Job[]>();
    for (const job of left) addTo(owners, job.tool.owner, job);
    for (const jobs of owners.values()) {
      const queue = jobs.toSorted((a, b) => this.#faultsOf(a) - this.#faultsOf(b));
      let faults = 0;
      const next = () => {
        const isOver = this.#closed.signal.aborted || pass.isSpent || faults >= MAX_FAULTS;
        return isOver ? [] : queue.splice(0, this.#batchSize);
      };
      const run = async () => {
        for (let batch = next(); batch.length > 0; batch = next()) {
          const error = await this.#batch(batch, pass);
          faults = error === undefined ? 0 : faults + 1;
          if (error !== undefined) pass.error = error;
        }
      };
      await Promise.all(Array.from({ length: this.parts.settings.concurrency }, run));
      if (pass.isSpent || faults >= MAX_FAULTS) return;
    }
  }

  #open(): readonly Job[] {
    return this.parts
      .wanted()
      .filter(({ tool }) => !this.#settled.has(tool.hash))
      .map(({ tool, count }) => ({ tool, described: describedForWriter(tool, count) }));
  }

  /** Takes up what the store has, and returns the rest. */
  async #unread(jobs: readonly Job[]): Promise<readonly Job[]> {
    const known = new Set<string>();
    for (let from = 0; from < jobs.length; from += READ_CHUNK) {
      const chunk = jobs.slice(from, from + READ_CHUNK);
      const found = await this.#stored(() => this.parts.store.find(chunk.map(({ tool }) => tool.hash)));
      for (const { hash } of found) known.add(hash);
      if (found.length > 0) this.#take(found, chunk);
    }
    return jobs.filter(({ tool }) => !known.has(tool.hash));
  }

  /** Claims, writes and stores one batch. Returns the writer's error; errors of the store are thrown. */
  async #batch(batch: readonly Job[], pass: WritingPass): Promise<unknown> {
    const { store, settings, writer, now } = this.parts;
    const total = estimatedCosts(
      batch.map(({ described }) => described),
      settings.prices,
    );
    const { claimed, busy, settled, isSpent } = await this.#stored(() =>
      store.claim({
        claimant: this.#claimant,
        subjects: batch.map(({ tool: { hash, owner, name } }) => ({ hash, owner, tool: name })),
        now: now(),
        leaseMs: settings.timeoutMs + 2 * STORE_DEADLINE_MS,
        each: dividedCosts(total, batch.length),
        limits: settings.limits,
        maxFailures: MAX_FAILURES,
      }),
    );
    pass.busy += busy.length;
    if (isSpent) pass.isSpent = true;
    await this.#settle(batch, settled);
    const jobs = batch.filter(({ tool }) => claimed.includes(tool.hash));
    if (jobs.length === 0) return undefined;
    const started = performance.now();
    const described = jobs.map((job) => job.described);
    let answer: CheckedAnswer;
    try {
      const write = (signal: AbortSignal) => writeBatch(writer, described, settings.prices, signal);
      answer = await withDeadline(settings.timeoutMs, write, this.#closed.signal);
    } catch (error) {
      await this.#failed(jobs, error, pass);
      return error;
    }
    const written = jobs.flatMap(({ tool: { hash, owner, name } }): WrittenQueries[] => {
      const queries = answer.queries.get(name);
      return queries ? [{ hash, owner, tool: name, queries, writer: writer.id, writtenAt: now() }] : [];
    });
    const failed = jobs.filter(({ tool }) => !answer.queries.has(tool.name)).map(({ tool }) => tool.hash);
    const stored = await this.#finish({ written, failed, released: [], costs: answer.costs });
    for (const hash of failed) this.#faults.set(hash, (this.#faults.get(hash) ?? 0) + 1);
    this.#take(
      written.filter(({ hash }) => stored.includes(hash)),
      jobs,
    );
    pass.written += written.length;
    // A whole answer without a usable query is no better than none, and was paid for.
    if (written.length === 0) return new Error('the writer gave no query that can be used');
    // Tools that the writer left out are asked for again with the next look.
    if (failed.length > 0) this.#isDue = true;
    this.#batchSize = Math.min(settings.batchSize, 2 * this.#batchSize);
    const { inputTokens, outputTokens } = answer.costs;
    this.#tell({
      type: 'example_queries.written',
      writer: writer.id,
      tools: written.length,
      queries: written.reduce((sum, { queries }) => sum + queries.length, 0),
      inputTokens,
      outputTokens,
      ms: performance.now() - started,
    });
    return undefined;
  }

  /** Remembers definitions that failed too often; reads those that another process has just written. */
  async #settle(batch: readonly Job[], settled: readonly string[]): Promise<void> {
    if (settled.length === 0) return;
    const found = await this.#stored(() => this.parts.store.find(settled));
    this.#take(found, batch);
    const written = new Set(found.map(({ hash }) => hash));
    for (const hash of settled) if (!written.has(hash)) this.#settled.add(hash);
  }

  async #failed(jobs: readonly Job[], error: unknown, pass: WritingPass): Promise<void> {
    const hashes = jobs.map(({ tool }) => tool.hash);
    for (const hash of hashes) this.#faults.set(hash, (this.#faults.get(hash) ?? 0) + 1);
    // A tool that fails by itself while others succeed is at fault itself; otherwise the writer is.
    const isOwnFault = jobs.length === 1 && pass.written > 0 && !this.#closed.signal.aborted;
    const ended = isOwnFault ? { failed: hashes, released: [] } : { failed: [], released: hashes };
    // What a failed call cost is unknown: its input was most likely read.
    const { inputTokens, micros } = estimatedCosts(
      jobs.map(({ described }) => ({ ...described, count: 0 })),
      this.parts.settings.prices,
    );
    const isTimedOut = error instanceof DeadlineError;
    const costs = isTimedOut ? { inputTokens, outputTokens: 0, micros } : NO_COSTS;
    this.#batchSize = Math.max(1, this.#batchSize >> 1);
    await this.#finish({ written: [], ...ended, costs });
  }

  #finish(result: Omit<QueryResult, 'claimant' | 'keep'>): Promise<readonly string[]> {
    const { store } = this.parts;
    return this.#stored(() => store.finish({ ...result, claimant: this.#claimant, keep: KEPT_DEFINITIONS }));
  }

  #stored<T>(work: () => Promise<T>): Promise<T> {
    return withDeadline(STORE_DEADLINE_MS, work);
  }

  #take(records: readonly WrittenQueries[], jobs: readonly Job[]): void {
    if (records.length === 0) return;
    const hashes = new Set(records.map(({ hash }) => hash));
    this.parts.take(
      records,
      jobs.flatMap(({ tool }) => (hashes.has(tool.hash) ? [tool] : [])),
    );
  }

  #faultsOf({ tool }: Job): number {
    return this.#faults.get(tool.hash) ?? 0;
  }

  #tell(event: Parameters<ToolEvents['emit']>[0]): void {
    this.parts.events.emit(event);
  }
}

function dividedCosts({ inputTokens, outputTokens, micros }: WritingCosts, by: number): WritingCosts {
  return {
    inputTokens: Math.ceil(inputTokens / by),
    outputTokens: Math.ceil(outputTokens / by),
    micros: Math.ceil(micros / by),
  };
}
