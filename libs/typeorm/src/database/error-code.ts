import { isObject } from '@tool-search/core/internal';

/** Returns the code of an error of the system, SQLite or PostgreSQL, for example `EACCES` or `SQLITE_BUSY`. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined;
}
