import { isObject } from '@tool-search/core';

/** The code of a system's, SQLite's or PostgreSQL's error, as in `EACCES` or `SQLITE_BUSY`. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined;
}
