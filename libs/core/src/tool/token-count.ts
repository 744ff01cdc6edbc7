import type { ToolDefinition } from './tool-definition.js';

/** Counts the tokens of a text, for example with a real tokenizer. */
export type TokenCounter = (text: string) => number;

/**
 * Tokens by length: one for every 4.3 characters, the mean measured with o200k_base over 7,457 real tool definitions
 * (5th to 95th percentile 4.0 to 5.0). The fallback where no tokenizer is given.
 */
export const estimateTokens: TokenCounter = (text) => Math.ceil(text.length / 4.3);

/** What counts tokens: a real tokenizer, an estimate by length, or the application's own function. */
export type TokenizerName = 'o200k_base' | 'estimate' | 'custom';

/** Counts tokens and says by what. `count` is another function as soon as something better counts. */
export interface TokenMeter {
  readonly tokenizer: TokenizerName;
  readonly count: TokenCounter;
}

/** What one counter has counted. */
interface Counted {
  readonly tools: WeakMap<ToolDefinition, number>;
  readonly lists: WeakMap<readonly ToolDefinition[], { all?: number; deferrable?: number }>;
}

/**
 * Tokens of definitions in the form models receive them, each counted once by each counter: what was estimated is forgotten
 * when a tokenizer takes over.
 */
export class DefinitionTokens {
  readonly #meter: TokenMeter;
  readonly #byCounter = new WeakMap<TokenCounter, Counted>();

  /**
   * @param counter @default {@link estimateTokens}
   * @param descriptionOf the description that models receive. @default the definition's own
   */
  constructor(
    counter?: TokenCounter | TokenMeter,
    private readonly descriptionOf: (tool: ToolDefinition) => string = ({ description }) => description,
  ) {
    this.#meter =
      typeof counter === 'object'
        ? counter
        : { tokenizer: counter ? 'custom' : 'estimate', count: counter ?? estimateTokens };
  }

  /** What counts now. */
  get tokenizer(): TokenizerName {
    return this.#meter.tokenizer;
  }

  /** @param count another counter than the one that counts now, to have its counts before it takes over */
  of(tool: ToolDefinition, count: TokenCounter = this.#meter.count): number {
    const { tools } = this.#counted(count);
    let tokens = tools.get(tool);
    if (tokens === undefined) {
      const { name, inputSchema } = tool;
      const description = this.descriptionOf(tool);
      tokens = count(JSON.stringify({ name, description, parameters: inputSchema }));
      tools.set(tool, tokens);
    }
    return tokens;
  }

  /** Tokens of the tools of a list that can be deferred; counted once for a list, which must not change. */
  deferrable(tools: readonly ToolDefinition[]): number {
    const known = this.#ofList(tools);
    return (known.deferrable ??= this.sum(tools.filter((tool) => tool.loading === 'deferred')));
  }

  /** Tokens of all tools of a list; counted once for a list, which must not change. */
  all(tools: readonly ToolDefinition[]): number {
    const known = this.#ofList(tools);
    return (known.all ??= this.sum(tools));
  }

  sum(tools: Iterable<ToolDefinition>): number {
    let total = 0;
    for (const tool of tools) total += this.of(tool);
    return total;
  }

  #ofList(tools: readonly ToolDefinition[]): { all?: number; deferrable?: number } {
    const { lists } = this.#counted(this.#meter.count);
    const known = lists.get(tools) ?? {};
    lists.set(tools, known);
    return known;
  }

  #counted(count: TokenCounter): Counted {
    let counted = this.#byCounter.get(count);
    if (!counted) this.#byCounter.set(count, (counted = { tools: new WeakMap(), lists: new WeakMap() }));
    return counted;
  }
}
