import { statSync } from 'node:fs';
import { ToolSearchError, type ToolSearchErrorCode } from '@tool-search/core';

const FRESH_MS = 100;

/**
 * Notices that the file of an open SQLite connection, or its write-ahead log, was deleted or replaced: SQLite goes on writing
 * into what no longer has a name, and the next process starts without it. A file that was only moved away counts again when it
 * is back.
 */
export class SqliteFile {
  /** Identity by path; what does not exist yet is learned when it does. */
  readonly #known = new Map<string, string>();
  readonly #paths: readonly string[];
  #isLost = false;
  #checkedAt = -Infinity;

  /** @param path of a database that is open; other than a path, for example `:memory:`, it is never lost */
  constructor(path: string) {
    const isFile = path !== ':memory:' && identityOf(path) !== undefined;
    this.#paths = isFile ? [path, `${path}-wal`] : [];
    this.check();
  }

  /** Whether it is in a file at all. */
  get isFile(): boolean {
    return this.#paths.length > 0;
  }

  /** As of 100 ms ago at most. */
  get isLost(): boolean {
    return performance.now() - this.#checkedAt < FRESH_MS ? this.#isLost : this.check();
  }

  /** Looks now. */
  check(): boolean {
    this.#checkedAt = performance.now();
    this.#isLost = this.#paths.filter((path) => this.#isOther(path)).length > 0;
    return this.#isLost;
  }

  /** What is thrown when it is lost. */
  lost(code: Extract<ToolSearchErrorCode, 'GATE_CLOSED' | 'STORE_UNAVAILABLE'>): ToolSearchError {
    return new ToolSearchError(code, 'The SQLite file or its -wal was deleted or replaced while it was in use.', {
      hint:
        'Export the audit trail from this process, which still reads it; then put the file back from a backup, restart, ' +
        'and engage the kill switches that are missing.',
    });
  }

  #isOther(path: string): boolean {
    const [before, now] = [this.#known.get(path), identityOf(path)];
    if (before === undefined && now !== undefined) this.#known.set(path, now);
    return before !== undefined && before !== now;
  }
}

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    // A directory that cannot be read any more: nobody knows whether the file is there.
    return undefined;
  }
}
