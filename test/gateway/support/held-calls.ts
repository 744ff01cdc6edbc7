import type { ToolCall } from '@tool-search/core';

/** A call that runs until a test lets it end. */
export interface HeldCall {
  readonly call: ToolCall;
  /** Lets the tool answer. */
  release(): void;
  /** Resolves when the caller has cancelled the call. */
  readonly cancelled: Promise<void>;
}

/** Calls of a slow tool, in the order in which they began. */
export class HeldCalls {
  readonly #calls: HeldCall[] = [];
  #wake: () => void = () => undefined;
  #begun = new Promise<void>((resolve) => (this.#wake = resolve));

  /** Runs a call: reports progress, and answers when it is released. */
  run(call: ToolCall): Promise<string> {
    call.progress({ progress: 1, total: 2, message: 'half of it' });
    return new Promise((resolve, reject) => {
      const cancelled = new Promise<void>((done) => {
        call.signal.addEventListener('abort', () => {
          reject(new Error('cancelled'));
          done();
        });
      });
      this.#calls.push({ call, release: () => resolve('all counted'), cancelled });
      this.#wake();
      this.#begun = new Promise((next) => (this.#wake = next));
    });
  }

  /** The next call, once it has begun. */
  async next(): Promise<HeldCall> {
    while (this.#calls.length === 0) await this.#begun;
    return this.#calls.shift()!;
  }
}
