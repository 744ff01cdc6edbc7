import {
  flag,
  func,
  neverUndefined,
  object,
  oneOf,
  type OptionsOf,
  parseOptions,
  value,
  whole,
} from '@tool-search/core/internal';
import { IN_MEMORY, type SqliteOpener } from './file/index-file.js';

const DAY_MS = 86_400_000;

export const fts5Options = object({
  /**
   * Path of a SQLite file for the index alone, created with its directory, or `:memory:`. Several processes may share
   * it. It is a cache and can be deleted at any time. @default '.tool-search/search.sqlite'
   */
  database: neverUndefined(value<string>(isPath, `a path or ${IN_MEMORY}`)).default('.tool-search/search.sqlite'),
  /** Write only tools that are new or changed; `false` writes all tools of the catalog at each change. @default true */
  incremental: flag().default(true),
  /** Write all tools again when the first catalog is applied, even if the file has them already. @default false */
  rebuildOnStart: flag().default(false),
  /**
   * How word searches are answered if SQLite was compiled without FTS5. `regex` matches any of the words.
   *
   * @default 'regex'
   */
  fallback: oneOf('regex', 'exact').default('regex'),
  /**
   * Milliseconds after which tools that are in no process's catalog are removed; 0 means that no other process uses the
   * file. @default one day, 0 for `:memory:`
   */
  keepUnusedMs: whole(0, Number.MAX_SAFE_INTEGER).optional(),
  /**
   * Accept that scores and their order depend on all tools in the file, including tools that are hidden from the
   * caller. Without it, the module rejects visibility policies, tenant policies and tenant sources. @default false
   */
  acceptsGlobalStatistics: flag().default(false),
  /** Opens the database. @default better-sqlite3 */
  open: func<SqliteOpener>().optional(),
});

/** Options of `Fts5ToolIndex`. */
export interface Fts5ToolIndexOptions extends OptionsOf<typeof fts5Options> {}

/** @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown option or an invalid value */
export function checkedFts5Options(options: Fts5ToolIndexOptions) {
  const checked = parseOptions(fts5Options, options, 'Fts5ToolIndex');
  return { ...checked, keepUnusedMs: checked.keepUnusedMs ?? (checked.database === IN_MEMORY ? 0 : DAY_MS) };
}

function isPath(given: unknown): boolean {
  return typeof given === 'string' && given.trim() !== '';
}
