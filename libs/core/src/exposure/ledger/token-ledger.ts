import { flag, object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import { sweepOlder } from '../../activation/sweep-in-batches.js';
import { BatchedCounts } from '../../collections/batched-counts.js';
import { atOnce } from '../../async/time-slicer.js';
import { countedInPieces } from '../../tool/counted-in-pieces.js';
import type { DefinitionTokens, TokenizerName } from '../../tool/token-count.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { guardStore } from '../../tool/store-guard.js';
import type { MetaAnswer, ShownStep, StepLedger, Surface } from '../../toolbox/surface/surface.js';
import { cacheEffect, promptPrefix, type SentPrefix, sentPrefix } from './prompt-prefix.js';
import { SurfaceTokens } from './surface-tokens.js';
import {
  addedCounts,
  type HourTokens,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPlace,
  NO_COUNTS,
  type SessionTokens,
  type TokenLedgerStore,
} from './token-ledger-store.js';

export const ledgerOptions = object({
  /** Also counts where every tool is listed. @default false */
  countAll: flag().default(false),
  /** Milliseconds for which counts are kept; 0 = forever. @default 2592000000 (30 days) */
  ttlMs: whole(0, 31_536_000_000).default(2_592_000_000),
});

export interface LedgerOptions extends OptionsOf<typeof ledgerOptions> {}

export const ledgerTuning = object({
  /** Milliseconds between two writes to the store. @default 5000 */
  flushEveryMs: whole(10, 3_600_000).default(5000),
});

export interface LedgerTuning extends OptionsOf<typeof ledgerTuning> {}

export const ledgerSchema = object({ ...ledgerOptions.shape, ...ledgerTuning.shape });

export interface LedgerSettings extends SettingsOf<typeof ledgerSchema> {
  /** Whether anything is counted. */
  readonly isOn: boolean;
}

/** Summed counts. */
export interface TokenTotals extends LedgerCounts {
  /** `fullTokens` minus `shownTokens`; below 0 if meta tools and prompt parts cost more than the deferred tools. */
  readonly savedTokens: number;
  /** The tokenizers that counted; more than one if the tokenizer changed in between. */
  readonly tokenizers: readonly TokenizerName[];
}

const HOUR_MS = 3_600_000;
const SWEEP_BATCH = 500;
const MAX_PAGE = 201;
const MAX_HOURS = 1500;

/** Counts the tokens shown to models, those of a plain list instead, and those of searching; writes in batches. */
export class TokenLedger implements StepLedger {
  readonly #counts: BatchedCounts<LedgerEntry>;
  readonly #prefixes = new WeakMap<object, SentPrefix>();
  readonly #surfaces: SurfaceTokens;

  constructor(
    private readonly store: TokenLedgerStore,
    private readonly tokens: DefinitionTokens,
    private readonly events: ToolEvents,
    private readonly settings: LedgerSettings,
    private readonly onFault: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {
    this.#counts = new BatchedCounts<LedgerEntry>({
      keyOf: ({ userId, sessionId, tokenizer, hour }) => JSON.stringify([userId, sessionId, tokenizer, hour]),
      merge: (left, right) => ({ ...left, ...addedCounts(left, right) }),
      write: (entries) => this.store.add(entries),
      onFault,
    });
    this.#surfaces = new SurfaceTokens(tokens);
  }

  isOn(mode: Surface['mode']): boolean {
    return this.settings.isOn && (mode !== 'all' || this.settings.countAll);
  }

  shown(step: ShownStep): void {
    if (this.isOn(step.surface.mode)) this.#quietly(() => this.#shown(step));
  }

  answered(answer: MetaAnswer): void {
    if (this.settings.isOn) this.#quietly(() => this.#answered(answer));
  }

  /**
   * The counts of the context's session, of all instances up to their last write.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  ofSession({ tenantId, userId = '', sessionId = '' }: ToolContext): Promise<TokenTotals> {
    return this.#totals({ tenantId, userId, sessionId });
  }

  /**
   * Sums of a tenant or of all tenants, since an hour or for all stored hours.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  totals({ tenantId, since }: Pick<LedgerFilter, 'tenantId' | 'since'> = {}): Promise<TokenTotals> {
    return this.#totals({ ...(tenantId !== undefined && { tenantId }), ...(since !== undefined && { since }) });
  }

  /**
   * Sums of each hour, the oldest first; at most 1,500, which are 31 days of two tokenizers.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async hours(filter: LedgerFilter): Promise<readonly HourTokens[]> {
    await this.#counts.flush();
    return guarded(() => this.store.hours(hourly(filter), MAX_HOURS));
  }

  /** Sums of each session, at most 201 per page. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async sessions(
    filter: LedgerFilter,
    { limit, after }: { readonly limit: number; readonly after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    await this.#counts.flush();
    const page = { limit: Math.min(limit, MAX_PAGE), ...(after && { after }) };
    return guarded(() => this.store.sessions(hourly(filter), page));
  }

  /** Starts to write counts and to delete old ones periodically. */
  start(): void {
    if (this.settings.isOn) this.#counts.start(this.settings.flushEveryMs, undefined, () => this.sweep());
  }

  /** Stops the periodic work and writes the remaining counts. Never rejects. */
  stop(): Promise<void> {
    return this.#counts.stop();
  }

  /** Deletes expired counts. Returns how many entries (session and hour) were deleted. */
  sweep(): Promise<number> {
    const { ttlMs } = this.settings;
    return guarded(() => sweepOlder(this.store, SWEEP_BATCH, ttlMs, this.now()));
  }

  #shown({ context, run, visible, surface }: ShownStep): void {
    const prefix = promptPrefix(surface);
    const cache = cacheEffect(this.#prefixes.get(run), prefix);
    this.#prefixes.set(run, sentPrefix(prefix));
    const shownTokens = this.#surfaces.of(surface);
    const fullTokens = this.tokens.all(visible);
    this.#add(context, {
      steps: 1,
      fullTokens,
      shownTokens,
      cacheKept: Number(cache === 'kept'),
      cacheBroken: Number(cache === 'broken'),
    });
    this.events.emit({
      type: 'surface.shown',
      ...eventIds(context),
      mode: surface.mode,
      reason: surface.reason.text,
      tools: surface.tools.length,
      metaTools: surface.meta.length,
      shownTokens,
      fullTokens,
      tokenizer: this.tokens.tokenizer,
      cache,
    });
  }

  #answered({ context, kind, input, answer }: MetaAnswer): void {
    // In pieces, because the texts may come from anywhere, and a tokenizer takes quadratic time for some.
    const text = `${JSON.stringify(input) ?? ''}${JSON.stringify(answer) ?? ''}`;
    const searchTokens = atOnce(countedInPieces(text, this.tokens.count));
    this.#add(context, { metaCalls: 1, searchTokens });
    this.events.emit({
      type: 'meta_tool.answered',
      ...eventIds(context),
      kind,
      tokens: searchTokens,
      tokenizer: this.tokens.tokenizer,
    });
  }

  // The application's own counter may throw; that must not fail a model's step.
  #quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.onFault(error);
    }
  }

  async #totals(filter: LedgerFilter): Promise<TokenTotals> {
    await this.#counts.flush();
    const sums = await guarded(() => this.store.sums(hourly(filter)));
    const counts = sums.reduce<LedgerCounts>(addedCounts, NO_COUNTS);
    const savedTokens = counts.fullTokens - counts.shownTokens;
    return { ...counts, savedTokens, tokenizers: sums.map(({ tokenizer }) => tokenizer).sort() };
  }

  #add({ tenantId, userId = '', sessionId = '' }: ToolContext, counts: Partial<LedgerCounts>): void {
    const now = this.now();
    const { tokenizer } = this.tokens;
    this.#counts.add({ tenantId, userId, sessionId, tokenizer, hour: now - (now % HOUR_MS), ...NO_COUNTS, ...counts });
  }
}

function hourly(filter: LedgerFilter): LedgerFilter {
  const { since } = filter;
  return since === undefined ? filter : { ...filter, since: since - (since % HOUR_MS) };
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Token counts', work);
}
