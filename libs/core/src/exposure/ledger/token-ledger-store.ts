import type { TokenizerName } from '../../tool/token-count.js';

/** What is counted of each session. Tokens are those of one tokenizer. */
export interface LedgerCounts {
  /** Times a model was given tools. */
  readonly steps: number;
  /** What plain lists of all visible tools would have cost at these steps. */
  readonly fullTokens: number;
  /** Definitions, meta tools and prompt parts that were shown. */
  readonly shownTokens: number;
  /** Calls of meta tools that search, read or load. */
  readonly metaCalls: number;
  /** Their arguments and answers; counted once, although they stay in the conversation. */
  readonly searchTokens: number;
  /** Steps at which the prompt's prefix was that of the step before, or went on from it. */
  readonly cacheKept: number;
  /** Steps at which it was another one. */
  readonly cacheBroken: number;
}

/** Names of {@link LedgerCounts}. */
export const LEDGER_COUNTS = [
  'steps',
  'fullTokens',
  'shownTokens',
  'metaCalls',
  'searchTokens',
  'cacheKept',
  'cacheBroken',
] as const satisfies readonly (keyof LedgerCounts)[];

/** Whose counts; `''` where the context names no user or session. */
export interface LedgerSession {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenizer: TokenizerName;
}

/** Counts of one session in one hour. */
export interface LedgerEntry extends LedgerSession, LedgerCounts {
  /** Epoch milliseconds of the hour's beginning. */
  readonly hour: number;
}

/** Counts of one session. */
export interface SessionTokens extends LedgerSession, LedgerCounts {
  /** Epoch milliseconds of the beginning of the last hour in which something was counted. */
  readonly lastHour: number;
}

/** Which counts; what is left out is not asked about. */
export interface LedgerFilter {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  /** Epoch milliseconds, inclusive: hours that begin then or later. */
  readonly since?: number;
}

/** Where a page of sessions starts: tenant, user, session and tokenizer of the last one before it. */
export type LedgerPlace = readonly [tenantId: string, userId: string, sessionId: string, tokenizer: string];

/** No counts. */
export const NO_COUNTS: LedgerCounts = {
  steps: 0,
  fullTokens: 0,
  shownTokens: 0,
  metaCalls: 0,
  searchTokens: 0,
  cacheKept: 0,
  cacheBroken: 0,
};

/** One and the other together. */
export function addedCounts(left: LedgerCounts, right: LedgerCounts): LedgerCounts {
  return Object.fromEntries(LEDGER_COUNTS.map((name) => [name, left[name] + right[name]])) as unknown as LedgerCounts;
}

/** Where token counts live. An abstract class, so that it is also the injection token. */
export abstract class TokenLedgerStore {
  /** Adds to what is there, all of it or nothing; what several instances add at once adds up. */
  abstract add(entries: readonly LedgerEntry[]): Promise<void>;

  /** Sums by tokenizer, at most one for each. */
  abstract sums(filter: LedgerFilter): Promise<readonly (LedgerCounts & Pick<LedgerEntry, 'tokenizer'>)[]>;

  /** Sums by session, in an order of the store's own. */
  abstract sessions(
    filter: LedgerFilter,
    page: { readonly limit: number; readonly after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]>;

  /** Removes at most `batch` entries of hours that began before; returns how many went. */
  abstract sweep(before: number, batch: number): Promise<number>;
}
