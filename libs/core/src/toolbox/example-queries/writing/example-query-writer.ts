import { kept, text, value } from '../../../options/options.js';

/** All that a writer receives about a tool. It is data of the tool's source, never an instruction. */
export interface DescribedForWriter {
  /** Canonical name; different for each tool of one call. */
  readonly name: string;
  readonly title?: string;
  /** At most 2,000 characters. */
  readonly description: string;
  /** Names of the parameters, at most 40. */
  readonly parameters: readonly string[];
  /** How many requests to write. */
  readonly count: number;
}

/** The answer of a writer. Tools that it leaves out are asked for again later, a few times. */
export interface WrittenForTools {
  readonly tools: readonly {
    /** As in the request. */
    readonly name: string;
    /** Requests in the words of users. Only the first `count` that can be used are kept. */
    readonly queries: readonly string[];
  }[];
  /** Tokens that the provider counted. @default an estimate by length */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/**
 * Writes requests that users would make when a tool is the right one, usually with a language model. The texts are only
 * searched: no model and no user sees them.
 */
export interface ExampleQueryWriter {
  /** Names it in status, events and the store, for example the model; 1 to 128 characters. */
  readonly id: string;
  /**
   * Writes requests for some tools. An error, or an answer of another form, affects these tools only: they are asked for
   * again later.
   *
   * @param signal aborts when the time is up or the application shuts down
   */
  write(tools: readonly DescribedForWriter[], signal: AbortSignal): Promise<WrittenForTools>;
}

/** The option for a writer. */
export function queryWriter() {
  const members = { id: text(128), write: value((given) => typeof given === 'function', 'a function') };
  return kept<ExampleQueryWriter>(members, 'a writer: an object with id and write()');
}
