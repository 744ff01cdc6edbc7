import { func, object, oneOf, type OptionsOf } from '../../options/options.js';
import { createRequire } from 'node:module';
import { estimateTokens, type TokenCounter, type TokenizerName, type TokenMeter } from '../../tool/token-count.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { inLinearTime } from './linear-counter.js';

export const tokenizerOptions = object({
  /** Counts tokens with the application's own function; then no tokenizer is loaded. @default none */
  countTokens: func<TokenCounter>().optional(),
  /**
   * `o200k_base` needs the package `gpt-tokenizer`; `estimate` counts by length and loads nothing.
   *
   * @default 'o200k_base' if the package is installed, else 'estimate'
   */
  tokenizer: oneOf('o200k_base', 'estimate').optional(),
});

export interface TokenizerOptions extends OptionsOf<typeof tokenizerOptions> {}

const NO_SPECIAL_TOKENS = { disallowedSpecial: new Set<string>() };

/** Loads the real tokenizer; rejects if it is not installed. */
export type LoadTokenizer = () => Promise<TokenCounter>;

/** Estimates tokens until a real tokenizer is loaded, once, on request, in the background: it takes about 70 MB. */
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

  /** Whether a real tokenizer could be loaded but has not been requested yet. */
  get isLazy(): boolean {
    return this.#tokenizer === 'estimate' && this.options.tokenizer !== 'estimate' && this.#loading === undefined;
  }

  /**
   * Loads the real tokenizer, if there is one, and switches to it.
   *
   * @param prepare called with the new counter before the switch, to count known texts in advance
   * @throws ToolSearchError `INVALID_CONFIGURATION` if the options name the tokenizer and it is not installed
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
  // Jest cannot run `import()` in CommonJS; `require` works there as in Node.js.
  const path = 'gpt-tokenizer/encoding/o200k_base';
  const { countTokens } = createRequire(__filename)(path) as typeof import('gpt-tokenizer/encoding/o200k_base');
  // By default the tokenizer throws if a text contains a special token. OpenAI's API reads it as text.
  return inLinearTime((text) => countTokens(text, NO_SPECIAL_TOKENS));
}
