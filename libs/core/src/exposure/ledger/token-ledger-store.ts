import type { TokenizerName } from '../../tool/token-count.js';

/** Counts of a session. Tokens are those of one tokenizer. */
export interface LedgerCounts {
  /** Number of times that a model was given tools. */
  readonly steps: number;
  /** Tokens that plain lists of all visible tools would have cost at these steps. */
  readonly fullTokens: number;
  /** Tokens of the definitions, meta tools and prompt parts that were shown. */
  readonly shownTokens: number;
  /** Number of calls of meta tools that search, read or load. */
  readonly metaCalls: number;
  /** Tokens of their arguments and answers; counted once, although they stay in the conversation. */
  readonly searchTokens: number;
  /** Steps whose prompt started with the prefix of the step before. */
  readonly cacheKept: number;
  /** Later steps whose prompt did not start with the prefix of the step before. */
  readonly cacheBroken: number;
}

/** The property names of {@link LedgerCounts}. */
// prettier-ignore
export const LEDGER_COUNTS = [
  'steps', 'fullTokens', 'shownTokens', 'metaCalls', 'searchTokens', 'cacheKept', 'cacheBroken',
] as const satisfies readonly (keyof LedgerCounts)[];

/** Identifies the counts of a session; `''` if the context has no user or session. */
export interface LedgerSession {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenizer: TokenizerName;
}

/** Counts of one session in one hour. */
export interface LedgerEntry extends LedgerSession, LedgerCounts {
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
}

/** Counts of one session, summed over hours. */
export interface SessionTokens extends LedgerSession, LedgerCounts {
  /** Start of the last hour with a count, in epoch milliseconds. */
  readonly lastHour: number;
}

/** Counts of one hour, summed over sessions. */
export interface HourTokens extends LedgerCounts, Pick<LedgerEntry, 'hour' | 'tokenizer'> {}

/** Selects counts; a property that is left out does not filter. */
export interface LedgerFilter {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  /** Epoch milliseconds, inclusive: only hours that begin at this time or later. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive: only hours that begin before this time. */
  readonly until?: number;
}

/** Start of a page of sessions: tenant, user, session and tokenizer of the last session before it. */
export type LedgerPlace = readonly [tenantId: string, userId: string, sessionId: string, tokenizer: string];

/** Counts whose values a function gives by name. */
export function countsBy(of: (name: keyof LedgerCounts) => number): LedgerCounts {
  return Object.fromEntries(LEDGER_COUNTS.map((name) => [name, of(name)])) as unknown as LedgerCounts;
}

export const NO_COUNTS = countsBy(() => 0);

export function addedCounts(left: LedgerCounts, right: LedgerCounts): LedgerCounts {
  return countsBy((name) => left[name] + right[name]);
}

/** Stores token counts. An abstract class, so that it is also the injection token. */
export abstract class TokenLedgerStore {
  /** Adds to the stored counts, all entries or none. Concurrent additions of several instances add up. */
  abstract add(entries: readonly LedgerEntry[]): Promise<void>;

  /** Sums by tokenizer, at most one for each. */
  abstract sums(filter: LedgerFilter): Promise<readonly (LedgerCounts & Pick<LedgerEntry, 'tokenizer'>)[]>;

  /** Sums by hour and tokenizer, the oldest hour first; at most `limit`. */
  abstract hours(filter: LedgerFilter, limit: number): Promise<readonly HourTokens[]>;

  /** Sums by session, in an order that the store chooses; with `after`, only the sessions behind it in that order. */
  abstract sessions(
    filter: LedgerFilter,
    page: { readonly limit: number; readonly after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]>;

  /** Deletes at most `batch` entries of hours that began before `before`. Returns how many were deleted. */
  abstract sweep(before: number, batch: number): Promise<number>;
}
