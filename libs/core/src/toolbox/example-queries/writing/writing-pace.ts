import { redactedText } from '../../../catalog/ingest/secret-shapes.js';
import { safeText } from '../../../json/safe-text.js';
import type { ToolEvents } from '../../../tool/tool-event.js';

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;
/** Interval of checks for queries that another process has written, and for a raised budget. */
const LOOK_AGAIN_MS = 15_000;
const MAX_REASON = 200;

export type WritingState = 'idle' | 'writing' | 'waiting' | 'budget_spent' | 'stopped';

/** Waits between passes, in milliseconds. @default 15,000 and 1,000 */
export interface WritingWaits {
  readonly lookAgainMs: number;
  readonly minRetryMs: number;
}

/** Result of one pass over the tools. */
export interface WritingPass {
  written: number;
  tokens: number;
  busy: number;
  isSpent: boolean;
  error: unknown;
}

/** When the next pass begins, and the state that operators see until then. A failing writer is asked ever more rarely. */
export class WritingPace {
  #wake: () => void = () => undefined;
  /** While it rests after a failure, a changed catalog does not end the rest. */
  #isFailing = false;
  #retryMs = 0;
  #isSpentReported = false;
  state: WritingState = 'idle';
  /** Why the writer failed last, until it answers again. */
  reason: string | undefined;

  constructor(
    private readonly writer: string,
    private readonly events: ToolEvents,
    private readonly waits: WritingWaits = { lookAgainMs: LOOK_AGAIN_MS, minRetryMs: MIN_RETRY_MS },
  ) {}

  /** Returns the milliseconds until the next pass; undefined when nothing is left to do. */
  after({ error, isSpent, busy, written }: WritingPass): number | undefined {
    const { writer, events } = this;
    const { lookAgainMs, minRetryMs } = this.waits;
    if (error !== undefined) {
      this.#retryMs = written > 0 ? minRetryMs : Math.min(MAX_RETRY_MS, Math.max(minRetryMs, 2 * this.#retryMs));
      this.state = 'waiting';
      this.reason = reasonOf(error);
      events.emit({ type: 'example_queries.degraded', writer, reason: this.reason, retryInMs: this.#retryMs });
      return this.#retryMs;
    }
    this.#retryMs = 0;
    this.reason = undefined;
    this.state = isSpent ? 'budget_spent' : busy > 0 ? 'waiting' : 'idle';
    if (isSpent && !this.#isSpentReported) events.emit({ type: 'example_queries.budget_spent', writer });
    this.#isSpentReported = isSpent;
    return isSpent || busy > 0 ? lookAgainMs : undefined;
  }

  async rest(ms: number, isFailing: boolean): Promise<void> {
    this.#isFailing = isFailing;
    await new Promise<void>((resolve) => {
      // This timer alone must not keep the process alive.
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
    this.#isFailing = false;
  }

  /** Ends a rest, unless it follows a failure. */
  hurry(): void {
    if (!this.#isFailing) this.#wake();
  }

  /** Ends any rest. */
  end(): void {
    this.#wake();
  }
}

/** A provider's message may repeat the key that it refused. */
function reasonOf(error: unknown): string {
  return safeText(redactedText(error instanceof Error ? error.message : 'it failed'), MAX_REASON);
}
