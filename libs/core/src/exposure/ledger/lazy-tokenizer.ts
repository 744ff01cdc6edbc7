import { createRequire } from 'node:module';
import { estimateTokens, type TokenCounter, type TokenizerName, type TokenMeter } from '../../tool/token-count.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** How tokens are counted. */
export interface TokenizerOptions {
  /** Counts tokens in the application's own way; nothing else is loaded then. @default none */
  readonly countTokens?: TokenCounter;
  /**
   * `o200k_base` needs the package `gpt-tokenizer`; `estimate` counts by length and loads nothing.
   *
   * @default 'o200k_base' where the package is installed, else 'estimate'
   */
  readonly tokenizer?: Exclude<TokenizerName, 'custom'>;
}

/** Where the real tokenizer comes from: rejects where it is not installed. */
export type LoadTokenizer = () => Promise<TokenCounter>;

/**
 * Estimates until a real tokenizer is there. It is loaded when it is asked for, once, in the background: it takes a moment
 * and some 70 MB, which nobody pays who counts nothing.
 */
export class LazyTokenizer implements TokenMeter {
  #tokenizer: TokenizerName;
  #count: TokenCounter;
  #loading: Promise<void> | undefined;

  constructor(
    private readonly options: TokenizerOptions = {},
    private readonly loadTokenizer: LoadTokenizer = loadO200kBase,
  ) {
    this.#tokenizer = options.countTokens ? 'custom' : 'estimate';
    this.#count = options.countTokens ?? estimateTokens;
  }

  get tokenizer(): TokenizerName {
    return this.#tokenizer;
  }

  get count(): TokenCounter {
    return this.#count;
  }

  /** Whether a tokenizer could take over that has not been asked for yet. */
  get isLazy(): boolean {
    return this.#tokenizer === 'estimate' && this.options.tokenizer !== 'estimate' && this.#loading === undefined;
  }

  /**
   * Loads the tokenizer if there is one to load, and lets it take over.
   *
   * @param prepare is given the counter before it takes over, to have counted what is known
   * @throws ToolSearchError `INVALID_CONFIGURATION` when it was asked for by name and is not installed
   */
  load(prepare: (count: TokenCounter) => Promise<void> = async () => {}): Promise<void> {
    if (this.isLazy) this.#loading = this.#load(prepare);
    return this.#loading ?? Promise.resolve();
  }

  async #load(prepare: (count: TokenCounter) => Promise<void>): Promise<void> {
    let count: TokenCounter;
    try {
      count = await this.loadTokenizer();
    } catch (cause) {
      if (this.options.tokenizer === undefined) return;
      throw new ToolSearchError('INVALID_CONFIGURATION', 'The tokenizer o200k_base is not installed.', {
        hint: 'npm install gpt-tokenizer, or leave the option `tokenizer` out to have an estimate.',
        cause,
      });
    }
    await prepare(count);
    this.#count = count;
    this.#tokenizer = 'o200k_base';
  }
}

async function loadO200kBase(): Promise<TokenCounter> {
  // Jest runs no `import()` in CommonJS; `require` works there as in Node.js.
  const path = 'gpt-tokenizer/encoding/o200k_base';
  const { countTokens } = createRequire(__filename)(path) as typeof import('gpt-tokenizer/encoding/o200k_base');
  // Special tokens in a tool's text are ordinary text.
  return (text) => countTokens(text, { allowedSpecial: 'all' });
}
