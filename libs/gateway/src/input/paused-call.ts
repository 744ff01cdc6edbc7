import type { InputRequests, InputResponses } from '@tool-search/core/source';
import type { CallerInput } from '@tool-search/core/internal';

/** A call that has ended, or the questions that it waits for. */
export type Round<T> = { readonly done: T } | { readonly questions: InputRequests };

interface Question {
  /** Keys of the tool, by the keys that the client sees. */
  readonly keys: ReadonlyMap<string, string>;
  readonly requests: InputRequests;
  readonly resolve: (responses: InputResponses) => void;
}

/** Whether a response can answer a request, as far as its form goes. */
export type IsAnswer = (request: InputRequests[string], response: unknown) => boolean;

/** A call that runs over several requests of its client: while it waits for an answer, no request is open. */
export class PausedCall<T> {
  readonly #open = new Set<Question>();
  readonly #abort = new AbortController();
  readonly #outcome: Promise<T>;
  #given: Record<string, unknown> = {};
  #wake: () => void = () => undefined;

  constructor(
    run: (ask: CallerInput['ask'], signal: AbortSignal) => Promise<T>,
    private readonly isAnswer: IsAnswer,
  ) {
    this.#outcome = run((requests) => this.#ask(requests), this.#abort.signal);
    this.#outcome.catch(() => undefined);
  }

  /**
   * Goes on with the responses of a request, until the call ends or waits for others. A question without its answer is
   * asked again.
   *
   * @throws what the call throws
   */
  async next(given: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Round<T>> {
    const cancel = () => this.abandon(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#given = { ...given };
      for (const question of this.#open) this.#answer(question);
      return await Promise.race([this.#outcome.then((done) => ({ done })), this.#questions()]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Cancels the call. */
  abandon(reason: unknown): void {
    this.#abort.abort(reason);
  }

  async #questions(): Promise<Round<T>> {
    // Questions that a tool asks at the same time are shown together.
    do {
      if (this.#open.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      await new Promise((resolve) => void setImmediate(resolve));
    } while (this.#open.size === 0);
    const shown = [...this.#open].flatMap(({ keys, requests }) =>
      [...keys].map(([key, own]) => [key, requests[own]] as const),
    );
    return { questions: Object.fromEntries(shown) as InputRequests };
  }

  #ask(requests: InputRequests): Promise<InputResponses> {
    const taken = new Set([...this.#open].flatMap(({ keys }) => [...keys.keys()]));
    const keys = new Map(Object.keys(requests).map((own) => [unusedKey(own, taken), own]));
    return new Promise((resolve) => {
      const question = { keys, requests, resolve };
      this.#open.add(question);
      if (!this.#answer(question)) this.#wake();
    });
  }

  #answer(question: Question): boolean {
    const { keys, requests, resolve } = question;
    const isWhole = [...keys].every(([key, own]) => {
      const request = requests[own];
      return request && Object.hasOwn(this.#given, key) && this.isAnswer(request, this.#given[key]);
    });
    if (!isWhole) return false;
    this.#open.delete(question);
    resolve(Object.fromEntries([...keys].map(([key, own]) => [own, this.#given[key]])) as InputResponses);
    // An answer counts once: a tool that asks again gets another.
    for (const key of keys.keys()) delete this.#given[key];
    return true;
  }
}

function unusedKey(own: string, taken: ReadonlySet<string>): string {
  let key = own;
  for (let n = 2; taken.has(key); n++) key = `${own}_${n}`;
  return key;
}
