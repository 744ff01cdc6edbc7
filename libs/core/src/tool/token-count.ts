import type { ToolDefinition } from './tool-definition.js';

/** Counts the tokens of a text, for example with a real tokenizer. */
export type TokenCounter = (text: string) => number;

/**
 * Tokens by length: one for every 4.3 characters, the mean measured with o200k_base over 7,457 real tool definitions
 * (5th to 95th percentile 4.0 to 5.0). The fallback where no tokenizer is given.
 */
export const estimateTokens: TokenCounter = (text) => Math.ceil(text.length / 4.3);

/** Tokens of definitions in the form models receive them, each counted once. */
export class DefinitionTokens {
  readonly #counted = new WeakMap<ToolDefinition, number>();
  readonly #deferrable = new WeakMap<readonly ToolDefinition[], number>();

  /** @param descriptionOf the description that models receive. @default the definition's own */
  constructor(
    private readonly count: TokenCounter = estimateTokens,
    private readonly descriptionOf: (tool: ToolDefinition) => string = ({ description }) => description,
  ) {}

  of(tool: ToolDefinition): number {
    let tokens = this.#counted.get(tool);
    if (tokens === undefined) {
      const { name, inputSchema } = tool;
      const description = this.descriptionOf(tool);
      tokens = this.count(JSON.stringify({ name, description, parameters: inputSchema }));
      this.#counted.set(tool, tokens);
    }
    return tokens;
  }

  /** Tokens of the tools of a list that can be deferred; counted once for a list, which must not change. */
  deferrable(tools: readonly ToolDefinition[]): number {
    let tokens = this.#deferrable.get(tools);
    if (tokens === undefined) {
      tokens = this.sum(tools.filter((tool) => tool.loading === 'deferred'));
      this.#deferrable.set(tools, tokens);
    }
    return tokens;
  }

  sum(tools: Iterable<ToolDefinition>): number {
    let total = 0;
    for (const tool of tools) total += this.of(tool);
    return total;
  }
}
