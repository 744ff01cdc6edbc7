import type { Logger } from '@nestjs/common';
import type { Runtime } from '../../runtime/create-runtime.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { TokenCounter } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

const SLICE_MS = 4;

/**
 * Loads the tokenizer once there are definitions to count. It is never loaded when all tools are listed, unless the
 * ledger is on; in `auto` only when the estimate comes near the threshold, or a request holds tools back or searches.
 * Definitions are counted in short time slices before they are published, so that no request has to count them.
 */
export class TokenCounting {
  #pending: Promise<void> = Promise.resolve();
  #stopListening: readonly (() => void)[] = [];
  #counter: TokenCounter | undefined;
  #publications = 0;
  #isDeferring = false;

  constructor(
    private readonly runtime: Pick<Runtime, 'catalog' | 'events' | 'exposure' | 'ledger' | 'tokenizer' | 'tokens'>,
    private readonly logger: Pick<Logger, 'log' | 'error'>,
  ) {}

  /**
   * Starts counting the current and all later definitions.
   *
   * @param atOnce load the tokenizer for any catalog with deferred tools, because the options name it
   */
  start(atOnce = false): void {
    if (!this.#isNeeded) return;
    const { catalog, events } = this.runtime;
    catalog.beforePublishing((next) => this.#prepared(next));
    this.#stopListening = [
      events.on('catalog.published', ({ owner }) => {
        this.#publications += 1;
        this.#next(catalog.current(owner));
      }),
      events.on('surface.shown', ({ mode }) => mode !== 'all' && this.#defer()),
      events.on('tool.searched', () => this.#defer()),
    ];
    this.#isDeferring = atOnce;
    // Loading the tokenizer blocks for about 200 ms: at boot is better than when a slow source arrives under traffic.
    const isMoreToCome = catalog.sources().some(({ loadedAt }) => loadedAt === undefined);
    this.#next(catalog.current(), isMoreToCome);
  }

  // Tools are held back although the catalog is small: by a request's own setting, or for a small context window.
  #defer(): void {
    if (this.#isDeferring) return;
    this.#isDeferring = true;
    this.#next(this.runtime.catalog.current(), true);
  }

  /**
   * Resolves when the counting that has started is finished.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for a tokenizer that is not installed
   */
  async done(): Promise<void> {
    await this.#pending;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await this.#pending.catch(() => undefined);
  }

  #next(published: CatalogSnapshot, isSure = false): void {
    if (!this.runtime.tokenizer.isLazy || !(isSure || this.#counts(published))) return;
    this.#pending = this.#load();
    // Already logged. After boot, no code awaits it, and an unhandled rejection would end the process.
    this.#pending.catch(() => undefined);
  }

  async #prepared(next: CatalogSnapshot): Promise<void> {
    if (this.#counter && (this.runtime.ledger.isOn('all') || this.#hasDeferred(next)))
      await this.#counted(next.own, this.#counter);
  }

  #counts(published: CatalogSnapshot): boolean {
    const { exposure, ledger } = this.runtime;
    if (ledger.isOn('all')) return true;
    return this.#hasDeferred(published) && (this.#isDeferring || exposure.mayDefer(published.tools));
  }

  #hasDeferred({ own }: CatalogSnapshot): boolean {
    return own.some(({ loading }) => loading === 'deferred');
  }

  async #load(): Promise<void> {
    const { tokenizer } = this.runtime;
    try {
      await tokenizer.load((count) => this.#takeOver(count));
      this.logger.log(
        tokenizer.tokenizer === 'o200k_base'
          ? 'Tokens are counted by o200k_base'
          : 'Tokens are estimated by length; install gpt-tokenizer to have them counted',
      );
    } catch (error) {
      this.logger.error(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** Repeats until nothing was published meanwhile: such definitions were prepared before the counter was set. */
  async #takeOver(count: TokenCounter): Promise<void> {
    this.#counter = count;
    let seen: number;
    do {
      seen = this.#publications;
      await this.#counted(this.runtime.catalog.tools(), count);
    } while (seen !== this.#publications);
  }

  async #counted(tools: readonly ToolDefinition[], count: TokenCounter): Promise<void> {
    const { tokens } = this.runtime;
    await new TimeSlicer(SLICE_MS).each(tools.length, 1, (from) => {
      const tool = tools[from];
      if (tool) tokens.of(tool, count);
    });
  }

  get #isNeeded(): boolean {
    const { exposure, ledger } = this.runtime;
    return exposure.configured !== 'all' || ledger.isOn('all');
  }
}
