import { z } from 'zod';
import {
  described,
  flag,
  list,
  object,
  type OptionsOf,
  part,
  rule,
  type SettingsOf,
  text,
  whole,
} from '../../options/options.js';
import { queryWriter } from './writing/example-query-writer.js';
import { glob, milliseconds, sourceName } from '../../tool/source/source-options.js';

const MOST_TOKENS = 1_000_000_000_000;

function money() {
  return described(z.number().min(0).max(1_000_000_000), 'a number from 0 to 1000000000');
}

const prices = object({
  inputPerMillion: money(),
  outputPerMillion: money(),
});

/** Prices of a million tokens, in any currency. */
export interface TokenPrices extends OptionsOf<typeof prices> {}

const budget = object({
  /** Tokens that writing may cost, input and output together, over all time. @default 1000000 */
  tokens: whole(0, MOST_TOKENS).default(1_000_000),
  /** Money that writing may cost, over all time, in the currency of `prices`. @default no limit */
  money: money().optional(),
  /** Prices of the writer's provider. @default none: only tokens are counted */
  prices: part<TokenPrices>(prices),
}).check(rule('money', 'left out where budget.prices is missing', (set) => set.money === undefined || !!set.prices));

/** The most that writing may cost. The store keeps what was spent, so it holds over restarts and for all instances. */
export interface WritingBudget extends OptionsOf<typeof budget> {}

const queryFile = object({
  /** Path of the file, relative to the working directory. */
  path: text(4096),
  /** The source whose own tool names the file has. @default none: the file has canonical names */
  source: sourceName().optional(),
});

export interface QueryFile extends OptionsOf<typeof queryFile> {}

export const exampleQueryOptions = object({
  /** Writes queries for tools whose author gave fewer than `perTool`. @default none: nothing is written */
  writer: queryWriter().optional(),
  /** Queries of a tool up to which a writer or a file adds to the author's own. @default 3 */
  perTool: whole(1, 20).default(3),
  budget: part<WritingBudget>(budget),
  /** Globs of the tools that a writer is asked for. @default all */
  include: list(glob()).default(['*']),
  /** Globs of the tools that a writer is never asked for; wins over `include`. @default [] */
  exclude: list(glob()).default([]),
  /** Whether tools of a tenant's own sources are sent to the writer too. @default false */
  tenants: flag().default(false),
  /** Files that `tool-search enrich` wrote, or of the same format. They come before what a writer wrote. @default [] */
  files: list(z.union([text(4096), part<QueryFile>(queryFile).unwrap()])).default([]),
});

export interface ExampleQueryOptions extends OptionsOf<typeof exampleQueryOptions> {}

export const budgetOptions = budget;

export const exampleQueryTuning = object({
  /** Tools of one call of the writer, at most. @default 10 */
  batchSize: whole(1, 100).default(10),
  /** Simultaneous calls of the writer. @default 2 */
  concurrency: whole(1, 16).default(2),
  /** Milliseconds that one call of the writer may take. @default 60000 */
  timeoutMs: milliseconds().default(60_000),
});

export interface ExampleQueryTuning extends OptionsOf<typeof exampleQueryTuning> {}

export const exampleQuerySchema = object({ ...exampleQueryOptions.shape, ...exampleQueryTuning.shape });

export interface ExampleQuerySettings extends SettingsOf<typeof exampleQuerySchema> {
  readonly budget: SettingsOf<typeof budget>;
}
