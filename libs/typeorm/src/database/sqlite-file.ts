import { statSync } from 'node:fs';
import { ToolSearchError, type ToolSearchErrorCode } from '@tool-search/core';

const FRESH_MS = 100;

/**
 * Detects that the file of an open SQLite connection, or its write-ahead log, was deleted or replaced. SQLite would
 * continue to write to the unlinked file, and the next process would start without those writes. A file that was moved
 * away and back is accepted again.
 */
export class SqliteFile {
  /** File identity (device and inode) by path. A file that does not exist yet is recorded when it appears. */
  readonly #known = new Map<string, string>();
  readonly #paths: readonly string[];
  #isLost = false;
  #checkedAt = -Infinity;

  /** @param path of an open database; anything other than a file, for example `:memory:`, is never lost */
  constructor(path: string) {
    const isFile = path !== ':memory:' && identityOf(path) !== undefined;
    this.#paths = isFile ? [path, `${path}-wal`] : [];
    this.check();
  }

  get isFile(): boolean {
    return this.#paths.length > 0;
  }

  /** Up to 100 ms old. */
  get isLost(): boolean {
    return performance.now() - this.#checkedAt < FRESH_MS ? this.#isLost : this.check();
  }

  check(): boolean {
    this.#checkedAt = performance.now();
    this.#isLost = this.#paths.filter((path) => this.#isOther(path)).length > 0;
    return this.#isLost;
  }

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
    // The directory is not readable at the moment: the state of the file is unknown.
    return undefined;
  }
}
