import { ToolSearchError } from '@tool-search/core';
import { IN_MEMORY, type SqliteOpener } from './index-file.js';

/** Options of `Fts5ToolIndex`. */
export interface Fts5ToolIndexOptions {
  /**
   * Path of a SQLite file for the index alone, created with its directory, or `:memory:`. Several processes may share
   * it. It is a cache and can be deleted at any time. @default '.tool-search/search.sqlite'
   */
  readonly database?: string;
  /** Write only tools that are new or changed; `false` writes all tools of the catalog at each change. @default true */
  readonly incremental?: boolean;
  /** Write all tools again when the first catalog is applied, even if the file has them already. @default false */
  readonly rebuildOnStart?: boolean;
  /**
   * How word searches are answered if SQLite was compiled without FTS5. @default 'regex', which matches any of the
   * words
   */
  readonly fallback?: 'regex' | 'exact';
  /**
   * Milliseconds after which tools that are in no process's catalog are removed; 0 means that no other process uses the
   * file. @default one day, 0 for `:memory:`
   */
  readonly keepUnusedMs?: number;
  /**
   * Accept that scores and their order depend on all tools in the file, including tools that are hidden from the
   * caller. Without it, the module rejects visibility policies, tenant policies and tenant sources. @default false
   */
  readonly acceptsGlobalStatistics?: boolean;
  /** Opens the database. @default better-sqlite3 */
  readonly open?: SqliteOpener;
}

const DEFAULT_DATABASE = '.tool-search/search.sqlite';
const DAY_MS = 86_400_000;

type Checks = {
  readonly [Option in keyof Required<Fts5ToolIndexOptions>]: readonly [(value: unknown) => boolean, string];
};

const isFlag = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const;
const CHECKS: Checks = {
  database: [(value) => typeof value === 'string' && value.trim() !== '', `a path or ${IN_MEMORY}`],
  incremental: isFlag,
  rebuildOnStart: isFlag,
  fallback: [(value) => value === 'regex' || value === 'exact', "'regex' or 'exact'"],
  keepUnusedMs: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number of milliseconds from 0'],
  acceptsGlobalStatistics: isFlag,
  open: [(value) => typeof value === 'function', 'a function'],
};

/** @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown option or an invalid value */
export function checkedFts5Options(options: Fts5ToolIndexOptions) {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Checks] : undefined;
    if (!check)
      throw invalid(
        `Fts5ToolIndex has no option ${JSON.stringify(name)}.`,
        `Known options: ${Object.keys(CHECKS).join(', ')}.`,
      );
    const [isFine, expected] = check;
    if (value !== undefined && !isFine(value))
      throw invalid(`${name} must be ${expected}.`, 'Correct the option of Fts5ToolIndex.');
  }
  const { database = DEFAULT_DATABASE, incremental = true, rebuildOnStart = false, fallback = 'regex' } = options;
  const { keepUnusedMs = database === IN_MEMORY ? 0 : DAY_MS, acceptsGlobalStatistics = false, open } = options;
  return { database, incremental, rebuildOnStart, fallback, keepUnusedMs, acceptsGlobalStatistics, open };
}

function invalid(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}
